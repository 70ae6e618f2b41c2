; ModuleID = 'once_and_keys.c'
source_filename = "once_and_keys.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_attr_t = type { i64, [48 x i8] }

@once = dso_local global i32 0, align 4, !dbg !0
@destroyed = dso_local global i32 0, align 4, !dbg !15
@made = dso_local global i32 0, align 4, !dbg !13
@key = dso_local global i32 0, align 4, !dbg !8
@value = internal global i32 5, align 4, !dbg !17
@.str = private unnamed_addr constant [35 x i8] c"pthread_getspecific(key) == &value\00", align 1
@.str.1 = private unnamed_addr constant [16 x i8] c"once_and_keys.c\00", align 1
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1
@.str.2 = private unnamed_addr constant [61 x i8] c"made == 1 && destroyed == 5 && pthread_getspecific(key) == 0\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local void @destroy(i8* noundef %value) #0 !dbg !28 {
entry:
  %value.addr = alloca i8*, align 8
  store i8* %value, i8** %value.addr, align 8
  call void @llvm.dbg.declare(metadata i8** %value.addr, metadata !33, metadata !DIExpression()), !dbg !34
  %0 = load i8*, i8** %value.addr, align 8, !dbg !35
  %1 = bitcast i8* %0 to i32*, !dbg !36
  %2 = load i32, i32* %1, align 4, !dbg !37
  %3 = load i32, i32* @destroyed, align 4, !dbg !38
  %add = add nsw i32 %3, %2, !dbg !38
  store i32 %add, i32* @destroyed, align 4, !dbg !38
  ret void, !dbg !39
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local void @make() #0 !dbg !40 {
entry:
  %0 = load i32, i32* @made, align 4, !dbg !43
  %inc = add nsw i32 %0, 1, !dbg !43
  store i32 %inc, i32* @made, align 4, !dbg !43
  %call = call i32 @pthread_key_create(i32* noundef @key, void (i8*)* noundef @destroy) #5, !dbg !44
  ret void, !dbg !45
}

; Function Attrs: nounwind
declare i32 @pthread_key_create(i32* noundef, void (i8*)* noundef) #2

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i8* @worker(i8* noundef %unused) #0 !dbg !46 {
entry:
  %unused.addr = alloca i8*, align 8
  store i8* %unused, i8** %unused.addr, align 8
  call void @llvm.dbg.declare(metadata i8** %unused.addr, metadata !49, metadata !DIExpression()), !dbg !50
  %0 = load i8*, i8** %unused.addr, align 8, !dbg !51
  %call = call i32 @pthread_once(i32* noundef @once, void ()* noundef @make), !dbg !52
  %1 = load i32, i32* @key, align 4, !dbg !53
  %call1 = call i32 @pthread_setspecific(i32 noundef %1, i8* noundef bitcast (i32* @value to i8*)) #5, !dbg !54
  %2 = load i32, i32* @key, align 4, !dbg !55
  %call2 = call i8* @pthread_getspecific(i32 noundef %2) #5, !dbg !55
  %cmp = icmp eq i8* %call2, bitcast (i32* @value to i8*), !dbg !55
  br i1 %cmp, label %if.then, label %if.else, !dbg !58

if.then:                                          ; preds = %entry
  br label %if.end, !dbg !58

if.else:                                          ; preds = %entry
  call void @__assert_fail(i8* noundef getelementptr inbounds ([35 x i8], [35 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([16 x i8], [16 x i8]* @.str.1, i64 0, i64 0), i32 noundef 17, i8* noundef getelementptr inbounds ([21 x i8], [21 x i8]* @__PRETTY_FUNCTION__.worker, i64 0, i64 0)) #6, !dbg !55
  unreachable, !dbg !55

if.end:                                           ; preds = %if.then
  ret i8* null, !dbg !59
}

declare i32 @pthread_once(i32* noundef, void ()* noundef) #3

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, i8* noundef) #2

; Function Attrs: nounwind
declare i8* @pthread_getspecific(i32 noundef) #2

; Function Attrs: noreturn nounwind
declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef) #4

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !60 {
entry:
  %retval = alloca i32, align 4
  %t = alloca i64, align 8
  store i32 0, i32* %retval, align 4
  call void @llvm.dbg.declare(metadata i64* %t, metadata !63, metadata !DIExpression()), !dbg !66
  %call = call i32 @pthread_create(i64* noundef %t, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef null) #5, !dbg !67
  %call1 = call i32 @pthread_once(i32* noundef @once, void ()* noundef @make), !dbg !68
  %0 = load i64, i64* %t, align 8, !dbg !69
  %call2 = call i32 @pthread_join(i64 noundef %0, i8** noundef null), !dbg !70
  %1 = load i32, i32* @made, align 4, !dbg !71
  %cmp = icmp eq i32 %1, 1, !dbg !71
  br i1 %cmp, label %land.lhs.true, label %if.else, !dbg !71

land.lhs.true:                                    ; preds = %entry
  %2 = load i32, i32* @destroyed, align 4, !dbg !71
  %cmp3 = icmp eq i32 %2, 5, !dbg !71
  br i1 %cmp3, label %land.lhs.true4, label %if.else, !dbg !71

land.lhs.true4:                                   ; preds = %land.lhs.true
  %3 = load i32, i32* @key, align 4, !dbg !71
  %call5 = call i8* @pthread_getspecific(i32 noundef %3) #5, !dbg !71
  %cmp6 = icmp eq i8* %call5, null, !dbg !71
  br i1 %cmp6, label %if.then, label %if.else, !dbg !74

if.then:                                          ; preds = %land.lhs.true4
  br label %if.end, !dbg !74

if.else:                                          ; preds = %land.lhs.true4, %land.lhs.true, %entry
  call void @__assert_fail(i8* noundef getelementptr inbounds ([61 x i8], [61 x i8]* @.str.2, i64 0, i64 0), i8* noundef getelementptr inbounds ([16 x i8], [16 x i8]* @.str.1, i64 0, i64 0), i32 noundef 25, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)) #6, !dbg !71
  unreachable, !dbg !71

if.end:                                           ; preds = %if.then
  ret i32 0, !dbg !75
}

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef) #2

declare i32 @pthread_join(i64 noundef, i8** noundef) #3

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!20, !21, !22, !23, !24, !25, !26}
!llvm.ident = !{!27}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "once", scope: !2, file: !3, line: 4, type: !19, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "once_and_keys.c", directory: ".", checksumkind: CSK_MD5, checksum: "129a12f7f08bf6c100cad4aeafb24c2e")
!4 = !{!5}
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!0, !8, !13, !15, !17}
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(name: "key", scope: !2, file: !3, line: 5, type: !10, isLocal: false, isDefinition: true)
!10 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_key_t", file: !11, line: 49, baseType: !12)
!11 = !DIFile(filename: "/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!12 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "made", scope: !2, file: !3, line: 6, type: !6, isLocal: false, isDefinition: true)
!15 = !DIGlobalVariableExpression(var: !16, expr: !DIExpression())
!16 = distinct !DIGlobalVariable(name: "destroyed", scope: !2, file: !3, line: 6, type: !6, isLocal: false, isDefinition: true)
!17 = !DIGlobalVariableExpression(var: !18, expr: !DIExpression())
!18 = distinct !DIGlobalVariable(name: "value", scope: !2, file: !3, line: 12, type: !6, isLocal: true, isDefinition: true)
!19 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_once_t", file: !11, line: 53, baseType: !6)
!20 = !{i32 7, !"Dwarf Version", i32 5}
!21 = !{i32 2, !"Debug Info Version", i32 3}
!22 = !{i32 1, !"wchar_size", i32 4}
!23 = !{i32 7, !"PIC Level", i32 2}
!24 = !{i32 7, !"PIE Level", i32 2}
!25 = !{i32 7, !"uwtable", i32 1}
!26 = !{i32 7, !"frame-pointer", i32 2}
!27 = !{!"Debian clang version 14.0.6"}
!28 = distinct !DISubprogram(name: "destroy", scope: !3, file: !3, line: 7, type: !29, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !32)
!29 = !DISubroutineType(types: !30)
!30 = !{null, !31}
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!32 = !{}
!33 = !DILocalVariable(name: "value", arg: 1, scope: !28, file: !3, line: 7, type: !31)
!34 = !DILocation(line: 7, column: 20, scope: !28)
!35 = !DILocation(line: 7, column: 50, scope: !28)
!36 = !DILocation(line: 7, column: 43, scope: !28)
!37 = !DILocation(line: 7, column: 42, scope: !28)
!38 = !DILocation(line: 7, column: 39, scope: !28)
!39 = !DILocation(line: 7, column: 57, scope: !28)
!40 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 8, type: !41, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !32)
!41 = !DISubroutineType(types: !42)
!42 = !{null}
!43 = !DILocation(line: 9, column: 7, scope: !40)
!44 = !DILocation(line: 10, column: 3, scope: !40)
!45 = !DILocation(line: 11, column: 1, scope: !40)
!46 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 13, type: !47, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !32)
!47 = !DISubroutineType(types: !48)
!48 = !{!31, !31}
!49 = !DILocalVariable(name: "unused", arg: 1, scope: !46, file: !3, line: 13, type: !31)
!50 = !DILocation(line: 13, column: 20, scope: !46)
!51 = !DILocation(line: 14, column: 9, scope: !46)
!52 = !DILocation(line: 15, column: 3, scope: !46)
!53 = !DILocation(line: 16, column: 23, scope: !46)
!54 = !DILocation(line: 16, column: 3, scope: !46)
!55 = !DILocation(line: 17, column: 3, scope: !56)
!56 = distinct !DILexicalBlock(scope: !57, file: !3, line: 17, column: 3)
!57 = distinct !DILexicalBlock(scope: !46, file: !3, line: 17, column: 3)
!58 = !DILocation(line: 17, column: 3, scope: !57)
!59 = !DILocation(line: 18, column: 3, scope: !46)
!60 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !61, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !32)
!61 = !DISubroutineType(types: !62)
!62 = !{!6}
!63 = !DILocalVariable(name: "t", scope: !60, file: !3, line: 21, type: !64)
!64 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !11, line: 27, baseType: !65)
!65 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!66 = !DILocation(line: 21, column: 13, scope: !60)
!67 = !DILocation(line: 22, column: 3, scope: !60)
!68 = !DILocation(line: 23, column: 3, scope: !60)
!69 = !DILocation(line: 24, column: 16, scope: !60)
!70 = !DILocation(line: 24, column: 3, scope: !60)
!71 = !DILocation(line: 25, column: 3, scope: !72)
!72 = distinct !DILexicalBlock(scope: !73, file: !3, line: 25, column: 3)
!73 = distinct !DILexicalBlock(scope: !60, file: !3, line: 25, column: 3)
!74 = !DILocation(line: 25, column: 3, scope: !73)
!75 = !DILocation(line: 26, column: 3, scope: !60)
