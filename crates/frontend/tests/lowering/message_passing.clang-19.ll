source_filename = "tests/lowering/message_passing.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.mail = type { i32, i32 }

@box = internal global %struct.mail zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [15 x i8] c"box.text == 42\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [33 x i8] c"tests/lowering/message_passing.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27

define dso_local i32 @main() #0 !dbg !46 {
entry:
  %retval = alloca i32, align 4
  %thread = alloca i64, align 8
  %seen = alloca i32, align 4
  %i = alloca i32, align 4
  %atomic-temp = alloca i32, align 4
  store i32 0, ptr %retval, align 4
    #dbg_declare(ptr %thread, !50, !DIExpression(), !54)
  %call = call i32 @pthread_create(ptr noundef %thread, ptr noundef null, ptr noundef @sender, ptr noundef null) #4, !dbg !55
    #dbg_declare(ptr %seen, !56, !DIExpression(), !57)
  store i32 0, ptr %seen, align 4, !dbg !57
    #dbg_declare(ptr %i, !58, !DIExpression(), !60)
  store i32 0, ptr %i, align 4, !dbg !60
  br label %for.cond, !dbg !61

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !62
  %cmp = icmp slt i32 %0, 3, !dbg !64
  br i1 %cmp, label %for.body, label %for.end, !dbg !65

for.body:                                         ; preds = %for.cond
  %1 = load atomic i32, ptr getelementptr inbounds (%struct.mail, ptr @box, i32 0, i32 1) seq_cst, align 4, !dbg !66
  store i32 %1, ptr %atomic-temp, align 4, !dbg !66
  %2 = load i32, ptr %atomic-temp, align 4, !dbg !66
  %3 = load i32, ptr %seen, align 4, !dbg !68
  %add = add nsw i32 %3, %2, !dbg !68
  store i32 %add, ptr %seen, align 4, !dbg !68
  br label %for.inc, !dbg !69

for.inc:                                          ; preds = %for.body
  %4 = load i32, ptr %i, align 4, !dbg !70
  %inc = add nsw i32 %4, 1, !dbg !70
  store i32 %inc, ptr %i, align 4, !dbg !70
  br label %for.cond, !dbg !71, !llvm.loop !72

for.end:                                          ; preds = %for.cond
  %5 = load i32, ptr %seen, align 4, !dbg !75
  %tobool = icmp ne i32 %5, 0, !dbg !75
  br i1 %tobool, label %if.then, label %if.end3, !dbg !77

if.then:                                          ; preds = %for.end
  %6 = load i32, ptr @box, align 4, !dbg !78
  %cmp1 = icmp eq i32 %6, 42, !dbg !78
  br i1 %cmp1, label %if.then2, label %if.else, !dbg !81

if.then2:                                         ; preds = %if.then
  br label %if.end, !dbg !81

if.else:                                          ; preds = %if.then
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 19, ptr noundef @__PRETTY_FUNCTION__.main) #5, !dbg !78
  unreachable, !dbg !78

if.end:                                           ; preds = %if.then2
  br label %if.end3, !dbg !82

if.end3:                                          ; preds = %if.end, %for.end
  %7 = load i64, ptr %thread, align 8, !dbg !83
  %call4 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !84
  ret i32 %call4, !dbg !85
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #1

define internal ptr @sender(ptr noundef %unused) #0 !dbg !86 {
entry:
  %unused.addr = alloca ptr, align 8
  %.atomictmp = alloca i32, align 4
  store ptr %unused, ptr %unused.addr, align 8
    #dbg_declare(ptr %unused.addr, !90, !DIExpression(), !91)
  store i32 42, ptr @box, align 4, !dbg !92
  store i32 1, ptr %.atomictmp, align 4, !dbg !93
  %0 = load i32, ptr %.atomictmp, align 4, !dbg !93
  store atomic i32 %0, ptr getelementptr inbounds (%struct.mail, ptr @box, i32 0, i32 1) release, align 4, !dbg !93
  %1 = load ptr, ptr %unused.addr, align 8, !dbg !94
  ret ptr %1, !dbg !95
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) #2

declare i32 @pthread_join(i64 noundef, ptr noundef) #3

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { noreturn nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }
attributes #5 = { noreturn nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!38, !39, !40, !41, !42, !43, !44}
!llvm.ident = !{!45}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "box", scope: !2, file: !3, line: 7, type: !31, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "tests/lowering/message_passing.c", directory: ".", checksumkind: CSK_MD5, checksum: "a16c5841a2bc2f626f3ef4851eaada49")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 68, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "f17199a988fe91afffaf0f943ef87096")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!16, !22, !27, !0}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 120, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 15)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 264, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 33)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !20)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "mail", file: !3, line: 5, size: 64, elements: !32)
!32 = !{!33, !35}
!33 = !DIDerivedType(tag: DW_TAG_member, name: "text", scope: !31, file: !3, line: 5, baseType: !34, size: 32)
!34 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "ready", scope: !31, file: !3, line: 5, baseType: !36, size: 32, offset: 32)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !37)
!37 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !34)
!38 = !{i32 7, !"Dwarf Version", i32 5}
!39 = !{i32 2, !"Debug Info Version", i32 3}
!40 = !{i32 1, !"wchar_size", i32 4}
!41 = !{i32 8, !"PIC Level", i32 2}
!42 = !{i32 7, !"PIE Level", i32 2}
!43 = !{i32 7, !"uwtable", i32 2}
!44 = !{i32 7, !"frame-pointer", i32 2}
!45 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!46 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !47, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !49)
!47 = !DISubroutineType(types: !48)
!48 = !{!34}
!49 = !{}
!50 = !DILocalVariable(name: "thread", scope: !46, file: !3, line: 15, type: !51)
!51 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !52, line: 27, baseType: !53)
!52 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!53 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!54 = !DILocation(line: 15, column: 15, scope: !46)
!55 = !DILocation(line: 16, column: 5, scope: !46)
!56 = !DILocalVariable(name: "seen", scope: !46, file: !3, line: 17, type: !34)
!57 = !DILocation(line: 17, column: 9, scope: !46)
!58 = !DILocalVariable(name: "i", scope: !59, file: !3, line: 18, type: !34)
!59 = distinct !DILexicalBlock(scope: !46, file: !3, line: 18, column: 5)
!60 = !DILocation(line: 18, column: 14, scope: !59)
!61 = !DILocation(line: 18, column: 10, scope: !59)
!62 = !DILocation(line: 18, column: 21, scope: !63)
!63 = distinct !DILexicalBlock(scope: !59, file: !3, line: 18, column: 5)
!64 = !DILocation(line: 18, column: 23, scope: !63)
!65 = !DILocation(line: 18, column: 5, scope: !59)
!66 = !DILocation(line: 18, column: 43, scope: !67)
!67 = distinct !DILexicalBlock(scope: !63, file: !3, line: 18, column: 33)
!68 = !DILocation(line: 18, column: 40, scope: !67)
!69 = !DILocation(line: 18, column: 68, scope: !67)
!70 = !DILocation(line: 18, column: 29, scope: !63)
!71 = !DILocation(line: 18, column: 5, scope: !63)
!72 = distinct !{!72, !65, !73, !74}
!73 = !DILocation(line: 18, column: 68, scope: !59)
!74 = !{!"llvm.loop.mustprogress"}
!75 = !DILocation(line: 19, column: 9, scope: !76)
!76 = distinct !DILexicalBlock(scope: !46, file: !3, line: 19, column: 9)
!77 = !DILocation(line: 19, column: 9, scope: !46)
!78 = !DILocation(line: 19, column: 15, scope: !79)
!79 = distinct !DILexicalBlock(scope: !80, file: !3, line: 19, column: 15)
!80 = distinct !DILexicalBlock(scope: !76, file: !3, line: 19, column: 15)
!81 = !DILocation(line: 19, column: 15, scope: !80)
!82 = !DILocation(line: 19, column: 15, scope: !76)
!83 = !DILocation(line: 20, column: 25, scope: !46)
!84 = !DILocation(line: 20, column: 12, scope: !46)
!85 = !DILocation(line: 20, column: 5, scope: !46)
!86 = distinct !DISubprogram(name: "sender", scope: !3, file: !3, line: 9, type: !87, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !49)
!87 = !DISubroutineType(types: !88)
!88 = !{!89, !89}
!89 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!90 = !DILocalVariable(name: "unused", arg: 1, scope: !86, file: !3, line: 9, type: !89)
!91 = !DILocation(line: 9, column: 27, scope: !86)
!92 = !DILocation(line: 10, column: 14, scope: !86)
!93 = !DILocation(line: 10, column: 20, scope: !86)
!94 = !DILocation(line: 11, column: 12, scope: !86)
!95 = !DILocation(line: 11, column: 5, scope: !86)
