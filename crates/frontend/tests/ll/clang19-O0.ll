; ModuleID = 'sample'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i8, [3 x i32] }
%struct.big = type { [4 x i64] }

@.str = private unnamed_addr constant [4 x i8] c"hi\0A\00", align 1, !dbg !0
@greeting = dso_local global ptr @.str, align 8, !dbg !7
@ratio = dso_local global double 1.000000e-01, align 8, !dbg !13
@data = internal global %struct.pair { i8 120, [3 x i32] [i32 1, i32 2, i32 -3] }, align 4, !dbg !26
@ready = dso_local global i32 0, align 4, !dbg !21
@.str.1 = private unnamed_addr constant [7 x i8] c"%s %d\0A\00", align 1, !dbg !16
@mine = dso_local thread_local global i32 0, align 4, !dbg !24

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @publish(i32 noundef %0, ptr noundef byval(%struct.big) align 8 %1) #0 !dbg !45 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i8, align 1
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
    #dbg_declare(ptr %3, !54, !DIExpression(), !55)
    #dbg_declare(ptr %1, !56, !DIExpression(), !57)
  %11 = load i32, ptr %3, align 4, !dbg !58
  store i32 %11, ptr getelementptr inbounds ([3 x i32], ptr getelementptr inbounds (%struct.pair, ptr @data, i32 0, i32 1), i64 0, i64 1), align 4, !dbg !59
  call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"() #3, !dbg !60, !srcloc !61
  store i32 1, ptr %4, align 4, !dbg !62
  %12 = load i32, ptr %4, align 4, !dbg !62
  store atomic i32 %12, ptr @ready release, align 4, !dbg !62
    #dbg_declare(ptr %5, !63, !DIExpression(), !64)
  store i32 1, ptr %5, align 4, !dbg !64
  store i32 2, ptr %6, align 4, !dbg !65
  %13 = load i32, ptr %5, align 4, !dbg !65
  %14 = load i32, ptr %6, align 4, !dbg !65
  %15 = cmpxchg weak ptr @ready, i32 %13, i32 %14 acq_rel monotonic, align 4, !dbg !65
  %16 = extractvalue { i32, i1 } %15, 0, !dbg !65
  %17 = extractvalue { i32, i1 } %15, 1, !dbg !65
  br i1 %17, label %19, label %18, !dbg !65

18:                                               ; preds = %2
  store i32 %16, ptr %5, align 4, !dbg !65
  br label %19, !dbg !65

19:                                               ; preds = %18, %2
  %20 = zext i1 %17 to i8, !dbg !65
  store i8 %20, ptr %7, align 1, !dbg !65
  %21 = load i8, ptr %7, align 1, !dbg !65
  %22 = trunc i8 %21 to i1, !dbg !65
  br i1 %22, label %23, label %27, !dbg !67

23:                                               ; preds = %19
  %24 = load ptr, ptr @greeting, align 8, !dbg !68
  %25 = load i32, ptr %5, align 4, !dbg !69
  %26 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, ptr noundef %24, i32 noundef %25), !dbg !70
  br label %27, !dbg !70

27:                                               ; preds = %23, %19
  %28 = load i32, ptr %3, align 4, !dbg !71
  store i32 %28, ptr %8, align 4, !dbg !72
  %29 = load i32, ptr %8, align 4, !dbg !72
  %30 = atomicrmw add ptr @ready, i32 %29 seq_cst, align 4, !dbg !72
  store i32 %30, ptr %9, align 4, !dbg !72
  %31 = load i32, ptr %9, align 4, !dbg !72
  fence seq_cst, !dbg !73
  fence syncscope("singlethread") acquire, !dbg !74
  %32 = load i32, ptr %3, align 4, !dbg !75
  switch i32 %32, label %37 [
    i32 1, label %33
    i32 -7, label %35
  ], !dbg !76

33:                                               ; preds = %27
  %34 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !77
  store i32 5, ptr %34, align 4, !dbg !79
  br label %41, !dbg !80

35:                                               ; preds = %27
  %36 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !81
  store i32 6, ptr %36, align 4, !dbg !82
  br label %41, !dbg !83

37:                                               ; preds = %27
  %38 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !84
  %39 = load i32, ptr %38, align 4, !dbg !85
  %40 = add nsw i32 %39, 1, !dbg !85
  store i32 %40, ptr %38, align 4, !dbg !85
  br label %41, !dbg !86

41:                                               ; preds = %37, %35, %33
    #dbg_declare(ptr %10, !87, !DIExpression(), !89)
  store i32 0, ptr %10, align 4, !dbg !89
  br label %42, !dbg !90

42:                                               ; preds = %53, %41
  %43 = load i32, ptr %10, align 4, !dbg !91
  %44 = load i32, ptr %3, align 4, !dbg !93
  %45 = icmp slt i32 %43, %44, !dbg !94
  br i1 %45, label %46, label %56, !dbg !95

46:                                               ; preds = %42
  %47 = load i32, ptr %10, align 4, !dbg !96
  %48 = load i32, ptr %10, align 4, !dbg !97
  %49 = sext i32 %48 to i64, !dbg !98
  %50 = getelementptr inbounds [3 x i32], ptr getelementptr inbounds (%struct.pair, ptr @data, i32 0, i32 1), i64 0, i64 %49, !dbg !98
  %51 = load i32, ptr %50, align 4, !dbg !99
  %52 = add nsw i32 %51, %47, !dbg !99
  store i32 %52, ptr %50, align 4, !dbg !99
  br label %53, !dbg !98

53:                                               ; preds = %46
  %54 = load i32, ptr %10, align 4, !dbg !100
  %55 = add nsw i32 %54, 1, !dbg !100
  store i32 %55, ptr %10, align 4, !dbg !100
  br label %42, !dbg !101, !llvm.loop !102

56:                                               ; preds = %42
  %57 = call i64 @sum(ptr noundef byval(%struct.big) align 8 %1), !dbg !105
  %58 = trunc i64 %57 to i32, !dbg !106
  ret i32 %58, !dbg !107
}

declare i32 @printf(ptr noundef, ...) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal i64 @sum(ptr noundef byval(%struct.big) align 8 %0) #0 !dbg !108 {
    #dbg_declare(ptr %0, !111, !DIExpression(), !112)
  %2 = getelementptr inbounds %struct.big, ptr %0, i32 0, i32 0, !dbg !113
  %3 = getelementptr inbounds [4 x i64], ptr %2, i64 0, i64 0, !dbg !114
  %4 = load i64, ptr %3, align 8, !dbg !114
  %5 = getelementptr inbounds %struct.big, ptr %0, i32 0, i32 0, !dbg !115
  %6 = getelementptr inbounds [4 x i64], ptr %5, i64 0, i64 3, !dbg !116
  %7 = load i64, ptr %6, align 8, !dbg !116
  %8 = add nsw i64 %4, %7, !dbg !117
  ret i64 %8, !dbg !118
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!37, !38, !39, !40, !41, !42, !43}
!llvm.ident = !{!44}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 6, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "sample.c", directory: ".")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 4)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "greeting", scope: !9, file: !2, line: 6, type: !35, isLocal: false, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang version 19.1.7", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !10, globals: !12, splitDebugInlining: false, nameTableKind: None)
!10 = !{!11}
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !{!0, !7, !13, !16, !21, !24, !26}
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "ratio", scope: !9, file: !2, line: 8, type: !15, isLocal: false, isDefinition: true)
!15 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !2, line: 17, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 56, elements: !19)
!19 = !{!20}
!20 = !DISubrange(count: 7)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "ready", scope: !9, file: !2, line: 4, type: !23, isLocal: false, isDefinition: true)
!23 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !11)
!24 = !DIGlobalVariableExpression(var: !25, expr: !DIExpression())
!25 = distinct !DIGlobalVariable(name: "mine", scope: !9, file: !2, line: 7, type: !11, isLocal: false, isDefinition: true)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(name: "data", scope: !9, file: !2, line: 5, type: !28, isLocal: true, isDefinition: true)
!28 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !2, line: 2, size: 128, elements: !29)
!29 = !{!30, !31}
!30 = !DIDerivedType(tag: DW_TAG_member, name: "tag", scope: !28, file: !2, line: 2, baseType: !4, size: 8)
!31 = !DIDerivedType(tag: DW_TAG_member, name: "values", scope: !28, file: !2, line: 2, baseType: !32, size: 96, offset: 32)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 96, elements: !33)
!33 = !{!34}
!34 = !DISubrange(count: 3)
!35 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !36, size: 64)
!36 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
!37 = !{i32 7, !"Dwarf Version", i32 5}
!38 = !{i32 2, !"Debug Info Version", i32 3}
!39 = !{i32 1, !"wchar_size", i32 4}
!40 = !{i32 8, !"PIC Level", i32 2}
!41 = !{i32 7, !"PIE Level", i32 2}
!42 = !{i32 7, !"uwtable", i32 2}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{!"clang version 19.1.7"}
!45 = distinct !DISubprogram(name: "publish", scope: !2, file: !2, line: 11, type: !46, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !9, retainedNodes: !53)
!46 = !DISubroutineType(types: !47)
!47 = !{!11, !11, !48}
!48 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "big", file: !2, line: 3, size: 256, elements: !49)
!49 = !{!50}
!50 = !DIDerivedType(tag: DW_TAG_member, name: "words", scope: !48, file: !2, line: 3, baseType: !51, size: 256)
!51 = !DICompositeType(tag: DW_TAG_array_type, baseType: !52, size: 256, elements: !5)
!52 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!53 = !{}
!54 = !DILocalVariable(name: "value", arg: 1, scope: !45, file: !2, line: 11, type: !11)
!55 = !DILocation(line: 11, column: 17, scope: !45)
!56 = !DILocalVariable(name: "b", arg: 2, scope: !45, file: !2, line: 11, type: !48)
!57 = !DILocation(line: 11, column: 35, scope: !45)
!58 = !DILocation(line: 12, column: 20, scope: !45)
!59 = !DILocation(line: 12, column: 18, scope: !45)
!60 = !DILocation(line: 13, column: 3, scope: !45)
!61 = !{i64 425}
!62 = !DILocation(line: 14, column: 3, scope: !45)
!63 = !DILocalVariable(name: "expected", scope: !45, file: !2, line: 15, type: !11)
!64 = !DILocation(line: 15, column: 7, scope: !45)
!65 = !DILocation(line: 16, column: 7, scope: !66)
!66 = distinct !DILexicalBlock(scope: !45, file: !2, line: 16, column: 7)
!67 = !DILocation(line: 16, column: 7, scope: !45)
!68 = !DILocation(line: 17, column: 23, scope: !66)
!69 = !DILocation(line: 17, column: 33, scope: !66)
!70 = !DILocation(line: 17, column: 5, scope: !66)
!71 = !DILocation(line: 18, column: 34, scope: !45)
!72 = !DILocation(line: 18, column: 3, scope: !45)
!73 = !DILocation(line: 19, column: 3, scope: !45)
!74 = !DILocation(line: 20, column: 3, scope: !45)
!75 = !DILocation(line: 21, column: 11, scope: !45)
!76 = !DILocation(line: 21, column: 3, scope: !45)
!77 = !DILocation(line: 21, column: 28, scope: !78)
!78 = distinct !DILexicalBlock(scope: !45, file: !2, line: 21, column: 18)
!79 = !DILocation(line: 21, column: 33, scope: !78)
!80 = !DILocation(line: 21, column: 38, scope: !78)
!81 = !DILocation(line: 21, column: 54, scope: !78)
!82 = !DILocation(line: 21, column: 59, scope: !78)
!83 = !DILocation(line: 21, column: 64, scope: !78)
!84 = !DILocation(line: 21, column: 80, scope: !78)
!85 = !DILocation(line: 21, column: 84, scope: !78)
!86 = !DILocation(line: 21, column: 88, scope: !78)
!87 = !DILocalVariable(name: "i", scope: !88, file: !2, line: 22, type: !11)
!88 = distinct !DILexicalBlock(scope: !45, file: !2, line: 22, column: 3)
!89 = !DILocation(line: 22, column: 12, scope: !88)
!90 = !DILocation(line: 22, column: 8, scope: !88)
!91 = !DILocation(line: 22, column: 19, scope: !92)
!92 = distinct !DILexicalBlock(scope: !88, file: !2, line: 22, column: 3)
!93 = !DILocation(line: 22, column: 23, scope: !92)
!94 = !DILocation(line: 22, column: 21, scope: !92)
!95 = !DILocation(line: 22, column: 3, scope: !88)
!96 = !DILocation(line: 22, column: 53, scope: !92)
!97 = !DILocation(line: 22, column: 47, scope: !92)
!98 = !DILocation(line: 22, column: 35, scope: !92)
!99 = !DILocation(line: 22, column: 50, scope: !92)
!100 = !DILocation(line: 22, column: 31, scope: !92)
!101 = !DILocation(line: 22, column: 3, scope: !92)
!102 = distinct !{!102, !95, !103, !104}
!103 = !DILocation(line: 22, column: 53, scope: !88)
!104 = !{!"llvm.loop.mustprogress"}
!105 = !DILocation(line: 23, column: 15, scope: !45)
!106 = !DILocation(line: 23, column: 10, scope: !45)
!107 = !DILocation(line: 23, column: 3, scope: !45)
!108 = distinct !DISubprogram(name: "sum", scope: !2, file: !2, line: 10, type: !109, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !9, retainedNodes: !53)
!109 = !DISubroutineType(types: !110)
!110 = !{!52, !48}
!111 = !DILocalVariable(name: "b", arg: 1, scope: !108, file: !2, line: 10, type: !48)
!112 = !DILocation(line: 10, column: 28, scope: !108)
!113 = !DILocation(line: 10, column: 42, scope: !108)
!114 = !DILocation(line: 10, column: 40, scope: !108)
!115 = !DILocation(line: 10, column: 55, scope: !108)
!116 = !DILocation(line: 10, column: 53, scope: !108)
!117 = !DILocation(line: 10, column: 51, scope: !108)
!118 = !DILocation(line: 10, column: 33, scope: !108)
