source_filename = "tests/lowering/message_passing.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.mail = type { i32, i32 }
%union.pthread_attr_t = type { i64, [48 x i8] }

@box = internal global %struct.mail zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [15 x i8] c"box.text == 42\00", align 1
@.str.1 = private unnamed_addr constant [33 x i8] c"tests/lowering/message_passing.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

define dso_local i32 @main() #0 !dbg !31 {
entry:
  %retval = alloca i32, align 4
  %thread = alloca i64, align 8
  %seen = alloca i32, align 4
  %i = alloca i32, align 4
  %atomic-temp = alloca i32, align 4
  store i32 0, i32* %retval, align 4
  call void @llvm.dbg.declare(metadata i64* %thread, metadata !35, metadata !DIExpression()), !dbg !39
  %call = call i32 @pthread_create(i64* noundef %thread, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @sender, i8* noundef null) #5, !dbg !40
  call void @llvm.dbg.declare(metadata i32* %seen, metadata !41, metadata !DIExpression()), !dbg !42
  store i32 0, i32* %seen, align 4, !dbg !42
  call void @llvm.dbg.declare(metadata i32* %i, metadata !43, metadata !DIExpression()), !dbg !45
  store i32 0, i32* %i, align 4, !dbg !45
  br label %for.cond, !dbg !46

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, i32* %i, align 4, !dbg !47
  %cmp = icmp slt i32 %0, 3, !dbg !49
  br i1 %cmp, label %for.body, label %for.end, !dbg !50

for.body:                                         ; preds = %for.cond
  %1 = load atomic i32, i32* getelementptr inbounds (%struct.mail, %struct.mail* @box, i32 0, i32 1) seq_cst, align 4, !dbg !51
  store i32 %1, i32* %atomic-temp, align 4, !dbg !51
  %2 = load i32, i32* %atomic-temp, align 4, !dbg !51
  %3 = load i32, i32* %seen, align 4, !dbg !53
  %add = add nsw i32 %3, %2, !dbg !53
  store i32 %add, i32* %seen, align 4, !dbg !53
  br label %for.inc, !dbg !54

for.inc:                                          ; preds = %for.body
  %4 = load i32, i32* %i, align 4, !dbg !55
  %inc = add nsw i32 %4, 1, !dbg !55
  store i32 %inc, i32* %i, align 4, !dbg !55
  br label %for.cond, !dbg !56, !llvm.loop !57

for.end:                                          ; preds = %for.cond
  %5 = load i32, i32* %seen, align 4, !dbg !60
  %tobool = icmp ne i32 %5, 0, !dbg !60
  br i1 %tobool, label %if.then, label %if.end3, !dbg !62

if.then:                                          ; preds = %for.end
  %6 = load i32, i32* getelementptr inbounds (%struct.mail, %struct.mail* @box, i32 0, i32 0), align 4, !dbg !63
  %cmp1 = icmp eq i32 %6, 42, !dbg !63
  br i1 %cmp1, label %if.then2, label %if.else, !dbg !66

if.then2:                                         ; preds = %if.then
  br label %if.end, !dbg !66

if.else:                                          ; preds = %if.then
  call void @__assert_fail(i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([33 x i8], [33 x i8]* @.str.1, i64 0, i64 0), i32 noundef 19, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)) #6, !dbg !63
  unreachable, !dbg !63

if.end:                                           ; preds = %if.then2
  br label %if.end3, !dbg !67

if.end3:                                          ; preds = %if.end, %for.end
  %7 = load i64, i64* %thread, align 8, !dbg !68
  %call4 = call i32 @pthread_join(i64 noundef %7, i8** noundef null), !dbg !69
  ret i32 %call4, !dbg !70
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef) #2

define internal i8* @sender(i8* noundef %unused) #0 !dbg !71 {
entry:
  %unused.addr = alloca i8*, align 8
  %.atomictmp = alloca i32, align 4
  store i8* %unused, i8** %unused.addr, align 8
  call void @llvm.dbg.declare(metadata i8** %unused.addr, metadata !75, metadata !DIExpression()), !dbg !76
  store i32 42, i32* getelementptr inbounds (%struct.mail, %struct.mail* @box, i32 0, i32 0), align 4, !dbg !77
  store i32 1, i32* %.atomictmp, align 4, !dbg !78
  %0 = load i32, i32* %.atomictmp, align 4, !dbg !78
  store atomic i32 %0, i32* getelementptr inbounds (%struct.mail, %struct.mail* @box, i32 0, i32 1) release, align 4, !dbg !78
  %1 = load i8*, i8** %unused.addr, align 8, !dbg !79
  ret i8* %1, !dbg !80
}

declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef) #3

declare i32 @pthread_join(i64 noundef, i8** noundef) #4

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!23, !24, !25, !26, !27, !28, !29}
!llvm.ident = !{!30}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "box", scope: !2, file: !3, line: 7, type: !16, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "tests/lowering/message_passing.c", directory: ".", checksumkind: CSK_MD5, checksum: "a16c5841a2bc2f626f3ef4851eaada49")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 56, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "de5d66a1ef2f5448cc1919ff39db92bc")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!0}
!16 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "mail", file: !3, line: 5, size: 64, elements: !17)
!17 = !{!18, !20}
!18 = !DIDerivedType(tag: DW_TAG_member, name: "text", scope: !16, file: !3, line: 5, baseType: !19, size: 32)
!19 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "ready", scope: !16, file: !3, line: 5, baseType: !21, size: 32, offset: 32)
!21 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 92, baseType: !22)
!22 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !19)
!23 = !{i32 7, !"Dwarf Version", i32 5}
!24 = !{i32 2, !"Debug Info Version", i32 3}
!25 = !{i32 1, !"wchar_size", i32 4}
!26 = !{i32 7, !"PIC Level", i32 2}
!27 = !{i32 7, !"PIE Level", i32 2}
!28 = !{i32 7, !"uwtable", i32 1}
!29 = !{i32 7, !"frame-pointer", i32 2}
!30 = !{!"Debian clang version 14.0.6"}
!31 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !32, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !34)
!32 = !DISubroutineType(types: !33)
!33 = !{!19}
!34 = !{}
!35 = !DILocalVariable(name: "thread", scope: !31, file: !3, line: 15, type: !36)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !37, line: 27, baseType: !38)
!37 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!38 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!39 = !DILocation(line: 15, column: 15, scope: !31)
!40 = !DILocation(line: 16, column: 5, scope: !31)
!41 = !DILocalVariable(name: "seen", scope: !31, file: !3, line: 17, type: !19)
!42 = !DILocation(line: 17, column: 9, scope: !31)
!43 = !DILocalVariable(name: "i", scope: !44, file: !3, line: 18, type: !19)
!44 = distinct !DILexicalBlock(scope: !31, file: !3, line: 18, column: 5)
!45 = !DILocation(line: 18, column: 14, scope: !44)
!46 = !DILocation(line: 18, column: 10, scope: !44)
!47 = !DILocation(line: 18, column: 21, scope: !48)
!48 = distinct !DILexicalBlock(scope: !44, file: !3, line: 18, column: 5)
!49 = !DILocation(line: 18, column: 23, scope: !48)
!50 = !DILocation(line: 18, column: 5, scope: !44)
!51 = !DILocation(line: 18, column: 43, scope: !52)
!52 = distinct !DILexicalBlock(scope: !48, file: !3, line: 18, column: 33)
!53 = !DILocation(line: 18, column: 40, scope: !52)
!54 = !DILocation(line: 18, column: 68, scope: !52)
!55 = !DILocation(line: 18, column: 29, scope: !48)
!56 = !DILocation(line: 18, column: 5, scope: !48)
!57 = distinct !{!57, !50, !58, !59}
!58 = !DILocation(line: 18, column: 68, scope: !44)
!59 = !{!"llvm.loop.mustprogress"}
!60 = !DILocation(line: 19, column: 9, scope: !61)
!61 = distinct !DILexicalBlock(scope: !31, file: !3, line: 19, column: 9)
!62 = !DILocation(line: 19, column: 9, scope: !31)
!63 = !DILocation(line: 19, column: 15, scope: !64)
!64 = distinct !DILexicalBlock(scope: !65, file: !3, line: 19, column: 15)
!65 = distinct !DILexicalBlock(scope: !61, file: !3, line: 19, column: 15)
!66 = !DILocation(line: 19, column: 15, scope: !65)
!67 = !DILocation(line: 19, column: 15, scope: !61)
!68 = !DILocation(line: 20, column: 25, scope: !31)
!69 = !DILocation(line: 20, column: 12, scope: !31)
!70 = !DILocation(line: 20, column: 5, scope: !31)
!71 = distinct !DISubprogram(name: "sender", scope: !3, file: !3, line: 9, type: !72, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !34)
!72 = !DISubroutineType(types: !73)
!73 = !{!74, !74}
!74 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!75 = !DILocalVariable(name: "unused", arg: 1, scope: !71, file: !3, line: 9, type: !74)
!76 = !DILocation(line: 9, column: 27, scope: !71)
!77 = !DILocation(line: 10, column: 14, scope: !71)
!78 = !DILocation(line: 10, column: 20, scope: !71)
!79 = !DILocation(line: 11, column: 12, scope: !71)
!80 = !DILocation(line: 11, column: 5, scope: !71)
