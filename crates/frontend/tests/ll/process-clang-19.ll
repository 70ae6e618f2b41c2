; ModuleID = 'once_and_keys.c'
source_filename = "once_and_keys.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@once = dso_local global i32 0, align 4, !dbg !0
@destroyed = dso_local global i32 0, align 4, !dbg !42
@made = dso_local global i32 0, align 4, !dbg !40
@key = dso_local global i32 0, align 4, !dbg !35
@value = internal global i32 5, align 4, !dbg !44
@.str = private unnamed_addr constant [35 x i8] c"pthread_getspecific(key) == &value\00", align 1, !dbg !8
@.str.1 = private unnamed_addr constant [16 x i8] c"once_and_keys.c\00", align 1, !dbg !14
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1, !dbg !19
@.str.2 = private unnamed_addr constant [61 x i8] c"made == 1 && destroyed == 5 && pthread_getspecific(key) == 0\00", align 1, !dbg !25
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !30

; Function Attrs: noinline nounwind optnone uwtable
define dso_local void @destroy(ptr noundef %value) #0 !dbg !55 {
entry:
  %value.addr = alloca ptr, align 8
  store ptr %value, ptr %value.addr, align 8
    #dbg_declare(ptr %value.addr, !60, !DIExpression(), !61)
  %0 = load ptr, ptr %value.addr, align 8, !dbg !62
  %1 = load i32, ptr %0, align 4, !dbg !63
  %2 = load i32, ptr @destroyed, align 4, !dbg !64
  %add = add nsw i32 %2, %1, !dbg !64
  store i32 %add, ptr @destroyed, align 4, !dbg !64
  ret void, !dbg !65
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local void @make() #0 !dbg !66 {
entry:
  %0 = load i32, ptr @made, align 4, !dbg !69
  %inc = add nsw i32 %0, 1, !dbg !69
  store i32 %inc, ptr @made, align 4, !dbg !69
  %call = call i32 @pthread_key_create(ptr noundef @key, ptr noundef @destroy) #4, !dbg !70
  ret void, !dbg !71
}

; Function Attrs: nounwind
declare i32 @pthread_key_create(ptr noundef, ptr noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local ptr @worker(ptr noundef %unused) #0 !dbg !72 {
entry:
  %unused.addr = alloca ptr, align 8
  store ptr %unused, ptr %unused.addr, align 8
    #dbg_declare(ptr %unused.addr, !75, !DIExpression(), !76)
  %0 = load ptr, ptr %unused.addr, align 8, !dbg !77
  %call = call i32 @pthread_once(ptr noundef @once, ptr noundef @make), !dbg !78
  %1 = load i32, ptr @key, align 4, !dbg !79
  %call1 = call i32 @pthread_setspecific(i32 noundef %1, ptr noundef @value) #4, !dbg !80
  %2 = load i32, ptr @key, align 4, !dbg !81
  %call2 = call ptr @pthread_getspecific(i32 noundef %2) #4, !dbg !81
  %cmp = icmp eq ptr %call2, @value, !dbg !81
  br i1 %cmp, label %if.then, label %if.else, !dbg !84

if.then:                                          ; preds = %entry
  br label %if.end, !dbg !84

if.else:                                          ; preds = %entry
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 17, ptr noundef @__PRETTY_FUNCTION__.worker) #5, !dbg !81
  unreachable, !dbg !81

if.end:                                           ; preds = %if.then
  ret ptr null, !dbg !85
}

declare i32 @pthread_once(ptr noundef, ptr noundef) #2

; Function Attrs: nounwind
declare i32 @pthread_setspecific(i32 noundef, ptr noundef) #1

; Function Attrs: nounwind
declare ptr @pthread_getspecific(i32 noundef) #1

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) #3

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !86 {
entry:
  %retval = alloca i32, align 4
  %t = alloca i64, align 8
  store i32 0, ptr %retval, align 4
    #dbg_declare(ptr %t, !89, !DIExpression(), !92)
  %call = call i32 @pthread_create(ptr noundef %t, ptr noundef null, ptr noundef @worker, ptr noundef null) #4, !dbg !93
  %call1 = call i32 @pthread_once(ptr noundef @once, ptr noundef @make), !dbg !94
  %0 = load i64, ptr %t, align 8, !dbg !95
  %call2 = call i32 @pthread_join(i64 noundef %0, ptr noundef null), !dbg !96
  %1 = load i32, ptr @made, align 4, !dbg !97
  %cmp = icmp eq i32 %1, 1, !dbg !97
  br i1 %cmp, label %land.lhs.true, label %if.else, !dbg !97

land.lhs.true:                                    ; preds = %entry
  %2 = load i32, ptr @destroyed, align 4, !dbg !97
  %cmp3 = icmp eq i32 %2, 5, !dbg !97
  br i1 %cmp3, label %land.lhs.true4, label %if.else, !dbg !97

land.lhs.true4:                                   ; preds = %land.lhs.true
  %3 = load i32, ptr @key, align 4, !dbg !97
  %call5 = call ptr @pthread_getspecific(i32 noundef %3) #4, !dbg !97
  %cmp6 = icmp eq ptr %call5, null, !dbg !97
  br i1 %cmp6, label %if.then, label %if.else, !dbg !100

if.then:                                          ; preds = %land.lhs.true4
  br label %if.end, !dbg !100

if.else:                                          ; preds = %land.lhs.true4, %land.lhs.true, %entry
  call void @__assert_fail(ptr noundef @.str.2, ptr noundef @.str.1, i32 noundef 25, ptr noundef @__PRETTY_FUNCTION__.main) #5, !dbg !97
  unreachable, !dbg !97

if.end:                                           ; preds = %if.then
  ret i32 0, !dbg !101
}

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #1

declare i32 @pthread_join(i64 noundef, ptr noundef) #2

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }
attributes #5 = { noreturn nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!47, !48, !49, !50, !51, !52, !53}
!llvm.ident = !{!54}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "once", scope: !2, file: !3, line: 4, type: !46, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "once_and_keys.c", directory: ".", checksumkind: CSK_MD5, checksum: "129a12f7f08bf6c100cad4aeafb24c2e")
!4 = !{!5}
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!0, !8, !14, !19, !25, !30, !35, !40, !42, !44}
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(scope: null, file: !3, line: 17, type: !10, isLocal: true, isDefinition: true)
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 280, elements: !12)
!11 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!12 = !{!13}
!13 = !DISubrange(count: 35)
!14 = !DIGlobalVariableExpression(var: !15, expr: !DIExpression())
!15 = distinct !DIGlobalVariable(scope: null, file: !3, line: 17, type: !16, isLocal: true, isDefinition: true)
!16 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 128, elements: !17)
!17 = !{!18}
!18 = !DISubrange(count: 16)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(scope: null, file: !3, line: 17, type: !21, isLocal: true, isDefinition: true)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 168, elements: !23)
!22 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !11)
!23 = !{!24}
!24 = !DISubrange(count: 21)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(scope: null, file: !3, line: 25, type: !27, isLocal: true, isDefinition: true)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 488, elements: !28)
!28 = !{!29}
!29 = !DISubrange(count: 61)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(scope: null, file: !3, line: 25, type: !32, isLocal: true, isDefinition: true)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 120, elements: !33)
!33 = !{!34}
!34 = !DISubrange(count: 15)
!35 = !DIGlobalVariableExpression(var: !36, expr: !DIExpression())
!36 = distinct !DIGlobalVariable(name: "key", scope: !2, file: !3, line: 5, type: !37, isLocal: false, isDefinition: true)
!37 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_key_t", file: !38, line: 49, baseType: !39)
!38 = !DIFile(filename: "/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!39 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression())
!41 = distinct !DIGlobalVariable(name: "made", scope: !2, file: !3, line: 6, type: !6, isLocal: false, isDefinition: true)
!42 = !DIGlobalVariableExpression(var: !43, expr: !DIExpression())
!43 = distinct !DIGlobalVariable(name: "destroyed", scope: !2, file: !3, line: 6, type: !6, isLocal: false, isDefinition: true)
!44 = !DIGlobalVariableExpression(var: !45, expr: !DIExpression())
!45 = distinct !DIGlobalVariable(name: "value", scope: !2, file: !3, line: 12, type: !6, isLocal: true, isDefinition: true)
!46 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_once_t", file: !38, line: 53, baseType: !6)
!47 = !{i32 7, !"Dwarf Version", i32 5}
!48 = !{i32 2, !"Debug Info Version", i32 3}
!49 = !{i32 1, !"wchar_size", i32 4}
!50 = !{i32 8, !"PIC Level", i32 2}
!51 = !{i32 7, !"PIE Level", i32 2}
!52 = !{i32 7, !"uwtable", i32 2}
!53 = !{i32 7, !"frame-pointer", i32 2}
!54 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!55 = distinct !DISubprogram(name: "destroy", scope: !3, file: !3, line: 7, type: !56, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !59)
!56 = !DISubroutineType(types: !57)
!57 = !{null, !58}
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!59 = !{}
!60 = !DILocalVariable(name: "value", arg: 1, scope: !55, file: !3, line: 7, type: !58)
!61 = !DILocation(line: 7, column: 20, scope: !55)
!62 = !DILocation(line: 7, column: 50, scope: !55)
!63 = !DILocation(line: 7, column: 42, scope: !55)
!64 = !DILocation(line: 7, column: 39, scope: !55)
!65 = !DILocation(line: 7, column: 57, scope: !55)
!66 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 8, type: !67, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!67 = !DISubroutineType(types: !68)
!68 = !{null}
!69 = !DILocation(line: 9, column: 7, scope: !66)
!70 = !DILocation(line: 10, column: 3, scope: !66)
!71 = !DILocation(line: 11, column: 1, scope: !66)
!72 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 13, type: !73, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !59)
!73 = !DISubroutineType(types: !74)
!74 = !{!58, !58}
!75 = !DILocalVariable(name: "unused", arg: 1, scope: !72, file: !3, line: 13, type: !58)
!76 = !DILocation(line: 13, column: 20, scope: !72)
!77 = !DILocation(line: 14, column: 9, scope: !72)
!78 = !DILocation(line: 15, column: 3, scope: !72)
!79 = !DILocation(line: 16, column: 23, scope: !72)
!80 = !DILocation(line: 16, column: 3, scope: !72)
!81 = !DILocation(line: 17, column: 3, scope: !82)
!82 = distinct !DILexicalBlock(scope: !83, file: !3, line: 17, column: 3)
!83 = distinct !DILexicalBlock(scope: !72, file: !3, line: 17, column: 3)
!84 = !DILocation(line: 17, column: 3, scope: !83)
!85 = !DILocation(line: 18, column: 3, scope: !72)
!86 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !87, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !59)
!87 = !DISubroutineType(types: !88)
!88 = !{!6}
!89 = !DILocalVariable(name: "t", scope: !86, file: !3, line: 21, type: !90)
!90 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !38, line: 27, baseType: !91)
!91 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!92 = !DILocation(line: 21, column: 13, scope: !86)
!93 = !DILocation(line: 22, column: 3, scope: !86)
!94 = !DILocation(line: 23, column: 3, scope: !86)
!95 = !DILocation(line: 24, column: 16, scope: !86)
!96 = !DILocation(line: 24, column: 3, scope: !86)
!97 = !DILocation(line: 25, column: 3, scope: !98)
!98 = distinct !DILexicalBlock(scope: !99, file: !3, line: 25, column: 3)
!99 = distinct !DILexicalBlock(scope: !86, file: !3, line: 25, column: 3)
!100 = !DILocation(line: 25, column: 3, scope: !99)
!101 = !DILocation(line: 26, column: 3, scope: !86)
