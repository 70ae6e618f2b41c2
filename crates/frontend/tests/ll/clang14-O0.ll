; ModuleID = 'sample'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i8, [3 x i32] }
%struct.big = type { [4 x i64] }

@.str = private unnamed_addr constant [4 x i8] c"hi\0A\00", align 1
@greeting = dso_local global i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i32 0, i32 0), align 8, !dbg !0
@ratio = dso_local global double 1.000000e-01, align 8, !dbg !7
@data = internal global %struct.pair { i8 120, [3 x i32] [i32 1, i32 2, i32 -3] }, align 4, !dbg !15
@ready = dso_local global i32 0, align 4, !dbg !10
@.str.1 = private unnamed_addr constant [7 x i8] c"%s %d\0A\00", align 1
@mine = dso_local thread_local global i32 0, align 4, !dbg !13

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @publish(i32 noundef %0, %struct.big* noundef byval(%struct.big) align 8 %1) #0 !dbg !35 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i8, align 1
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  call void @llvm.dbg.declare(metadata i32* %3, metadata !46, metadata !DIExpression()), !dbg !47
  call void @llvm.dbg.declare(metadata %struct.big* %1, metadata !48, metadata !DIExpression()), !dbg !49
  %11 = load i32, i32* %3, align 4, !dbg !50
  store i32 %11, i32* getelementptr inbounds (%struct.pair, %struct.pair* @data, i32 0, i32 1, i64 1), align 4, !dbg !51
  call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"() #3, !dbg !52, !srcloc !53
  store i32 1, i32* %4, align 4, !dbg !54
  %12 = load i32, i32* %4, align 4, !dbg !54
  store atomic i32 %12, i32* @ready release, align 4, !dbg !54
  call void @llvm.dbg.declare(metadata i32* %5, metadata !55, metadata !DIExpression()), !dbg !56
  store i32 1, i32* %5, align 4, !dbg !56
  store i32 2, i32* %6, align 4, !dbg !57
  %13 = load i32, i32* %5, align 4, !dbg !57
  %14 = load i32, i32* %6, align 4, !dbg !57
  %15 = cmpxchg weak i32* @ready, i32 %13, i32 %14 acq_rel monotonic, align 4, !dbg !57
  %16 = extractvalue { i32, i1 } %15, 0, !dbg !57
  %17 = extractvalue { i32, i1 } %15, 1, !dbg !57
  br i1 %17, label %19, label %18, !dbg !57

18:                                               ; preds = %2
  store i32 %16, i32* %5, align 4, !dbg !57
  br label %19, !dbg !57

19:                                               ; preds = %18, %2
  %20 = zext i1 %17 to i8, !dbg !57
  store i8 %20, i8* %7, align 1, !dbg !57
  %21 = load i8, i8* %7, align 1, !dbg !57
  %22 = trunc i8 %21 to i1, !dbg !57
  br i1 %22, label %23, label %27, !dbg !59

23:                                               ; preds = %19
  %24 = load i8*, i8** @greeting, align 8, !dbg !60
  %25 = load i32, i32* %5, align 4, !dbg !61
  %26 = call i32 (i8*, ...) @printf(i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str.1, i64 0, i64 0), i8* noundef %24, i32 noundef %25), !dbg !62
  br label %27, !dbg !62

27:                                               ; preds = %23, %19
  %28 = load i32, i32* %3, align 4, !dbg !63
  store i32 %28, i32* %8, align 4, !dbg !64
  %29 = load i32, i32* %8, align 4, !dbg !64
  %30 = atomicrmw add i32* @ready, i32 %29 seq_cst, align 4, !dbg !64
  store i32 %30, i32* %9, align 4, !dbg !64
  %31 = load i32, i32* %9, align 4, !dbg !64
  fence seq_cst, !dbg !65
  fence syncscope("singlethread") acquire, !dbg !66
  %32 = load i32, i32* %3, align 4, !dbg !67
  switch i32 %32, label %35 [
    i32 1, label %33
    i32 -7, label %34
  ], !dbg !68

33:                                               ; preds = %27
  store i32 5, i32* @mine, align 4, !dbg !69
  br label %38, !dbg !71

34:                                               ; preds = %27
  store i32 6, i32* @mine, align 4, !dbg !72
  br label %38, !dbg !73

35:                                               ; preds = %27
  %36 = load i32, i32* @mine, align 4, !dbg !74
  %37 = add nsw i32 %36, 1, !dbg !74
  store i32 %37, i32* @mine, align 4, !dbg !74
  br label %38, !dbg !75

38:                                               ; preds = %35, %34, %33
  call void @llvm.dbg.declare(metadata i32* %10, metadata !76, metadata !DIExpression()), !dbg !78
  store i32 0, i32* %10, align 4, !dbg !78
  br label %39, !dbg !79

39:                                               ; preds = %50, %38
  %40 = load i32, i32* %10, align 4, !dbg !80
  %41 = load i32, i32* %3, align 4, !dbg !82
  %42 = icmp slt i32 %40, %41, !dbg !83
  br i1 %42, label %43, label %53, !dbg !84

43:                                               ; preds = %39
  %44 = load i32, i32* %10, align 4, !dbg !85
  %45 = load i32, i32* %10, align 4, !dbg !86
  %46 = sext i32 %45 to i64, !dbg !87
  %47 = getelementptr inbounds [3 x i32], [3 x i32]* getelementptr inbounds (%struct.pair, %struct.pair* @data, i32 0, i32 1), i64 0, i64 %46, !dbg !87
  %48 = load i32, i32* %47, align 4, !dbg !88
  %49 = add nsw i32 %48, %44, !dbg !88
  store i32 %49, i32* %47, align 4, !dbg !88
  br label %50, !dbg !87

50:                                               ; preds = %43
  %51 = load i32, i32* %10, align 4, !dbg !89
  %52 = add nsw i32 %51, 1, !dbg !89
  store i32 %52, i32* %10, align 4, !dbg !89
  br label %39, !dbg !90, !llvm.loop !91

53:                                               ; preds = %39
  %54 = call i64 @sum(%struct.big* noundef byval(%struct.big) align 8 %1), !dbg !94
  %55 = trunc i64 %54 to i32, !dbg !95
  ret i32 %55, !dbg !96
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

declare i32 @printf(i8* noundef, ...) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal i64 @sum(%struct.big* noundef byval(%struct.big) align 8 %0) #0 !dbg !97 {
  call void @llvm.dbg.declare(metadata %struct.big* %0, metadata !100, metadata !DIExpression()), !dbg !101
  %2 = getelementptr inbounds %struct.big, %struct.big* %0, i32 0, i32 0, !dbg !102
  %3 = getelementptr inbounds [4 x i64], [4 x i64]* %2, i64 0, i64 0, !dbg !103
  %4 = load i64, i64* %3, align 8, !dbg !103
  %5 = getelementptr inbounds %struct.big, %struct.big* %0, i32 0, i32 0, !dbg !104
  %6 = getelementptr inbounds [4 x i64], [4 x i64]* %5, i64 0, i64 3, !dbg !105
  %7 = load i64, i64* %6, align 8, !dbg !105
  %8 = add nsw i64 %4, %7, !dbg !106
  ret i64 %8, !dbg !107
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!27, !28, !29, !30, !31, !32, !33}
!llvm.ident = !{!34}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "greeting", scope: !2, file: !3, line: 6, type: !25, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "sample.c", directory: ".")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!0, !7, !10, !13, !15}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "ratio", scope: !2, file: !3, line: 8, type: !9, isLocal: false, isDefinition: true)
!9 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(name: "ready", scope: !2, file: !3, line: 4, type: !12, isLocal: false, isDefinition: true)
!12 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !5)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "mine", scope: !2, file: !3, line: 7, type: !5, isLocal: false, isDefinition: true)
!15 = !DIGlobalVariableExpression(var: !16, expr: !DIExpression())
!16 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !3, line: 5, type: !17, isLocal: true, isDefinition: true)
!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !3, line: 2, size: 128, elements: !18)
!18 = !{!19, !21}
!19 = !DIDerivedType(tag: DW_TAG_member, name: "tag", scope: !17, file: !3, line: 2, baseType: !20, size: 8)
!20 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "values", scope: !17, file: !3, line: 2, baseType: !22, size: 96, offset: 32)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 96, elements: !23)
!23 = !{!24}
!24 = !DISubrange(count: 3)
!25 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !26, size: 64)
!26 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !20)
!27 = !{i32 7, !"Dwarf Version", i32 5}
!28 = !{i32 2, !"Debug Info Version", i32 3}
!29 = !{i32 1, !"wchar_size", i32 4}
!30 = !{i32 7, !"PIC Level", i32 2}
!31 = !{i32 7, !"PIE Level", i32 2}
!32 = !{i32 7, !"uwtable", i32 1}
!33 = !{i32 7, !"frame-pointer", i32 2}
!34 = !{!"clang version 14.0.6"}
!35 = distinct !DISubprogram(name: "publish", scope: !3, file: !3, line: 11, type: !36, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !45)
!36 = !DISubroutineType(types: !37)
!37 = !{!5, !5, !38}
!38 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "big", file: !3, line: 3, size: 256, elements: !39)
!39 = !{!40}
!40 = !DIDerivedType(tag: DW_TAG_member, name: "words", scope: !38, file: !3, line: 3, baseType: !41, size: 256)
!41 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 256, elements: !43)
!42 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!43 = !{!44}
!44 = !DISubrange(count: 4)
!45 = !{}
!46 = !DILocalVariable(name: "value", arg: 1, scope: !35, file: !3, line: 11, type: !5)
!47 = !DILocation(line: 11, column: 17, scope: !35)
!48 = !DILocalVariable(name: "b", arg: 2, scope: !35, file: !3, line: 11, type: !38)
!49 = !DILocation(line: 11, column: 35, scope: !35)
!50 = !DILocation(line: 12, column: 20, scope: !35)
!51 = !DILocation(line: 12, column: 18, scope: !35)
!52 = !DILocation(line: 13, column: 3, scope: !35)
!53 = !{i64 425}
!54 = !DILocation(line: 14, column: 3, scope: !35)
!55 = !DILocalVariable(name: "expected", scope: !35, file: !3, line: 15, type: !5)
!56 = !DILocation(line: 15, column: 7, scope: !35)
!57 = !DILocation(line: 16, column: 7, scope: !58)
!58 = distinct !DILexicalBlock(scope: !35, file: !3, line: 16, column: 7)
!59 = !DILocation(line: 16, column: 7, scope: !35)
!60 = !DILocation(line: 17, column: 23, scope: !58)
!61 = !DILocation(line: 17, column: 33, scope: !58)
!62 = !DILocation(line: 17, column: 5, scope: !58)
!63 = !DILocation(line: 18, column: 34, scope: !35)
!64 = !DILocation(line: 18, column: 3, scope: !35)
!65 = !DILocation(line: 19, column: 3, scope: !35)
!66 = !DILocation(line: 20, column: 3, scope: !35)
!67 = !DILocation(line: 21, column: 11, scope: !35)
!68 = !DILocation(line: 21, column: 3, scope: !35)
!69 = !DILocation(line: 21, column: 33, scope: !70)
!70 = distinct !DILexicalBlock(scope: !35, file: !3, line: 21, column: 18)
!71 = !DILocation(line: 21, column: 38, scope: !70)
!72 = !DILocation(line: 21, column: 59, scope: !70)
!73 = !DILocation(line: 21, column: 64, scope: !70)
!74 = !DILocation(line: 21, column: 84, scope: !70)
!75 = !DILocation(line: 21, column: 88, scope: !70)
!76 = !DILocalVariable(name: "i", scope: !77, file: !3, line: 22, type: !5)
!77 = distinct !DILexicalBlock(scope: !35, file: !3, line: 22, column: 3)
!78 = !DILocation(line: 22, column: 12, scope: !77)
!79 = !DILocation(line: 22, column: 8, scope: !77)
!80 = !DILocation(line: 22, column: 19, scope: !81)
!81 = distinct !DILexicalBlock(scope: !77, file: !3, line: 22, column: 3)
!82 = !DILocation(line: 22, column: 23, scope: !81)
!83 = !DILocation(line: 22, column: 21, scope: !81)
!84 = !DILocation(line: 22, column: 3, scope: !77)
!85 = !DILocation(line: 22, column: 53, scope: !81)
!86 = !DILocation(line: 22, column: 47, scope: !81)
!87 = !DILocation(line: 22, column: 35, scope: !81)
!88 = !DILocation(line: 22, column: 50, scope: !81)
!89 = !DILocation(line: 22, column: 31, scope: !81)
!90 = !DILocation(line: 22, column: 3, scope: !81)
!91 = distinct !{!91, !84, !92, !93}
!92 = !DILocation(line: 22, column: 53, scope: !77)
!93 = !{!"llvm.loop.mustprogress"}
!94 = !DILocation(line: 23, column: 15, scope: !35)
!95 = !DILocation(line: 23, column: 10, scope: !35)
!96 = !DILocation(line: 23, column: 3, scope: !35)
!97 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 10, type: !98, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !45)
!98 = !DISubroutineType(types: !99)
!99 = !{!42, !38}
!100 = !DILocalVariable(name: "b", arg: 1, scope: !97, file: !3, line: 10, type: !38)
!101 = !DILocation(line: 10, column: 28, scope: !97)
!102 = !DILocation(line: 10, column: 42, scope: !97)
!103 = !DILocation(line: 10, column: 40, scope: !97)
!104 = !DILocation(line: 10, column: 55, scope: !97)
!105 = !DILocation(line: 10, column: 53, scope: !97)
!106 = !DILocation(line: 10, column: 51, scope: !97)
!107 = !DILocation(line: 10, column: 33, scope: !97)
