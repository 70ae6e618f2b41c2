; ModuleID = 'sample'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i8, [3 x i32] }
%struct.big = type { [4 x i64] }

@.str = private unnamed_addr constant [4 x i8] c"hi\0A\00", align 1, !dbg !0
@greeting = dso_local local_unnamed_addr global ptr @.str, align 8, !dbg !7
@ratio = dso_local local_unnamed_addr global double 1.000000e-01, align 8, !dbg !13
@data = internal unnamed_addr global %struct.pair { i8 120, [3 x i32] [i32 1, i32 2, i32 -3] }, align 4, !dbg !26
@ready = dso_local global i32 0, align 4, !dbg !21
@.str.1 = private unnamed_addr constant [7 x i8] c"%s %d\0A\00", align 1, !dbg !16
@mine = dso_local thread_local global i32 0, align 4, !dbg !24

; Function Attrs: nounwind uwtable
define dso_local i32 @publish(i32 noundef %0, ptr nocapture noundef readonly byval(%struct.big) align 8 %1) local_unnamed_addr #0 !dbg !44 {
  call void @llvm.dbg.value(metadata i32 %0, metadata !53, metadata !DIExpression()), !dbg !58
  call void @llvm.dbg.declare(metadata ptr %1, metadata !54, metadata !DIExpression()), !dbg !59
  store i32 %0, ptr getelementptr inbounds (%struct.pair, ptr @data, i64 0, i32 1, i64 1), align 4, !dbg !60, !tbaa !61
  tail call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"() #4, !dbg !65, !srcloc !66
  store atomic i32 1, ptr @ready release, align 4, !dbg !67
  call void @llvm.dbg.value(metadata i32 1, metadata !55, metadata !DIExpression()), !dbg !58
  %3 = cmpxchg weak ptr @ready, i32 1, i32 2 acq_rel monotonic, align 4, !dbg !68
  %4 = extractvalue { i32, i1 } %3, 1, !dbg !68
  call void @llvm.dbg.value(metadata i32 poison, metadata !55, metadata !DIExpression()), !dbg !58
  br i1 %4, label %5, label %8, !dbg !70

5:                                                ; preds = %2
  call void @llvm.dbg.value(metadata i32 1, metadata !55, metadata !DIExpression()), !dbg !58
  %6 = load ptr, ptr @greeting, align 8, !dbg !71, !tbaa !72
  %7 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str.1, ptr noundef %6, i32 noundef 1), !dbg !74
  br label %8, !dbg !74

8:                                                ; preds = %5, %2
  %9 = atomicrmw add ptr @ready, i32 %0 seq_cst, align 4, !dbg !75
  fence seq_cst, !dbg !76
  fence syncscope("singlethread") acquire, !dbg !77
  switch i32 %0, label %14 [
    i32 1, label %10
    i32 -7, label %12
  ], !dbg !78

10:                                               ; preds = %8
  %11 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !79
  store i32 5, ptr %11, align 4, !dbg !81, !tbaa !61
  call void @llvm.dbg.value(metadata i32 0, metadata !56, metadata !DIExpression()), !dbg !82
  br label %19, !dbg !83

12:                                               ; preds = %8
  %13 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !84
  store i32 6, ptr %13, align 4, !dbg !85, !tbaa !61
  call void @llvm.dbg.value(metadata i32 0, metadata !56, metadata !DIExpression()), !dbg !82
  br label %41, !dbg !83

14:                                               ; preds = %8
  %15 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !86
  %16 = load i32, ptr %15, align 4, !dbg !87, !tbaa !61
  %17 = add nsw i32 %16, 1, !dbg !87
  store i32 %17, ptr %15, align 4, !dbg !87, !tbaa !61
  call void @llvm.dbg.value(metadata i32 0, metadata !56, metadata !DIExpression()), !dbg !82
  %18 = icmp sgt i32 %0, 0, !dbg !88
  br i1 %18, label %19, label %41, !dbg !83

19:                                               ; preds = %10, %14
  %20 = zext i32 %0 to i64, !dbg !88
  %21 = icmp ult i32 %0, 8, !dbg !83
  br i1 %21, label %39, label %22, !dbg !83

22:                                               ; preds = %19
  %23 = and i64 %20, 4294967288, !dbg !83
  br label %24, !dbg !83

24:                                               ; preds = %24, %22
  %25 = phi i64 [ 0, %22 ], [ %34, %24 ], !dbg !90
  %26 = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %22 ], [ %35, %24 ], !dbg !91
  %27 = add <4 x i32> %26, <i32 4, i32 4, i32 4, i32 4>, !dbg !91
  %28 = getelementptr inbounds %struct.pair, ptr @data, i64 0, i32 1, i64 %25, !dbg !92
  %29 = load <4 x i32>, ptr %28, align 4, !dbg !91, !tbaa !61
  %30 = getelementptr inbounds i32, ptr %28, i64 4, !dbg !91
  %31 = load <4 x i32>, ptr %30, align 4, !dbg !91, !tbaa !61
  %32 = add nsw <4 x i32> %29, %26, !dbg !91
  %33 = add nsw <4 x i32> %31, %27, !dbg !91
  store <4 x i32> %32, ptr %28, align 4, !dbg !91, !tbaa !61
  store <4 x i32> %33, ptr %30, align 4, !dbg !91, !tbaa !61
  %34 = add nuw i64 %25, 8, !dbg !90
  %35 = add <4 x i32> %26, <i32 8, i32 8, i32 8, i32 8>, !dbg !91
  %36 = icmp eq i64 %34, %23, !dbg !90
  br i1 %36, label %37, label %24, !dbg !90, !llvm.loop !93

37:                                               ; preds = %24
  %38 = icmp eq i64 %23, %20, !dbg !83
  br i1 %38, label %41, label %39, !dbg !83

39:                                               ; preds = %19, %37
  %40 = phi i64 [ 0, %19 ], [ %23, %37 ]
  br label %47, !dbg !83

41:                                               ; preds = %47, %37, %12, %14
  call void @llvm.dbg.declare(metadata ptr %1, metadata !98, metadata !DIExpression()), !dbg !103
  %42 = load i64, ptr %1, align 8, !dbg !105, !tbaa !106
  %43 = getelementptr inbounds [4 x i64], ptr %1, i64 0, i64 3, !dbg !108
  %44 = load i64, ptr %43, align 8, !dbg !108, !tbaa !106
  %45 = add nsw i64 %44, %42, !dbg !109
  %46 = trunc i64 %45 to i32, !dbg !110
  ret i32 %46, !dbg !111

47:                                               ; preds = %39, %47
  %48 = phi i64 [ %53, %47 ], [ %40, %39 ]
  call void @llvm.dbg.value(metadata i64 %48, metadata !56, metadata !DIExpression()), !dbg !82
  %49 = getelementptr inbounds %struct.pair, ptr @data, i64 0, i32 1, i64 %48, !dbg !92
  %50 = load i32, ptr %49, align 4, !dbg !91, !tbaa !61
  %51 = trunc i64 %48 to i32, !dbg !91
  %52 = add nsw i32 %50, %51, !dbg !91
  store i32 %52, ptr %49, align 4, !dbg !91, !tbaa !61
  %53 = add nuw nsw i64 %48, 1, !dbg !90
  call void @llvm.dbg.value(metadata i64 %53, metadata !56, metadata !DIExpression()), !dbg !82
  %54 = icmp eq i64 %53, %20, !dbg !88
  br i1 %54, label %41, label %47, !dbg !83, !llvm.loop !112
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: nofree nounwind
declare !dbg !113 noundef i32 @printf(ptr nocapture noundef readonly, ...) local_unnamed_addr #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.value(metadata, metadata, metadata) #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!37, !38, !39, !40, !41, !42}
!llvm.ident = !{!43}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 6, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "sample.c", directory: ".")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 4)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "greeting", scope: !9, file: !2, line: 6, type: !35, isLocal: false, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang version 16.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !10, globals: !12, splitDebugInlining: false, nameTableKind: None)
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
!43 = !{!"clang version 16.0.6"}
!44 = distinct !DISubprogram(name: "publish", scope: !2, file: !2, line: 11, type: !45, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !52)
!45 = !DISubroutineType(types: !46)
!46 = !{!11, !11, !47}
!47 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "big", file: !2, line: 3, size: 256, elements: !48)
!48 = !{!49}
!49 = !DIDerivedType(tag: DW_TAG_member, name: "words", scope: !47, file: !2, line: 3, baseType: !50, size: 256)
!50 = !DICompositeType(tag: DW_TAG_array_type, baseType: !51, size: 256, elements: !5)
!51 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!52 = !{!53, !54, !55, !56}
!53 = !DILocalVariable(name: "value", arg: 1, scope: !44, file: !2, line: 11, type: !11)
!54 = !DILocalVariable(name: "b", arg: 2, scope: !44, file: !2, line: 11, type: !47)
!55 = !DILocalVariable(name: "expected", scope: !44, file: !2, line: 15, type: !11)
!56 = !DILocalVariable(name: "i", scope: !57, file: !2, line: 22, type: !11)
!57 = distinct !DILexicalBlock(scope: !44, file: !2, line: 22, column: 3)
!58 = !DILocation(line: 0, scope: !44)
!59 = !DILocation(line: 11, column: 35, scope: !44)
!60 = !DILocation(line: 12, column: 18, scope: !44)
!61 = !{!62, !62, i64 0}
!62 = !{!"int", !63, i64 0}
!63 = !{!"omnipotent char", !64, i64 0}
!64 = !{!"Simple C/C++ TBAA"}
!65 = !DILocation(line: 13, column: 3, scope: !44)
!66 = !{i64 425}
!67 = !DILocation(line: 14, column: 3, scope: !44)
!68 = !DILocation(line: 16, column: 7, scope: !69)
!69 = distinct !DILexicalBlock(scope: !44, file: !2, line: 16, column: 7)
!70 = !DILocation(line: 16, column: 7, scope: !44)
!71 = !DILocation(line: 17, column: 23, scope: !69)
!72 = !{!73, !73, i64 0}
!73 = !{!"any pointer", !63, i64 0}
!74 = !DILocation(line: 17, column: 5, scope: !69)
!75 = !DILocation(line: 18, column: 3, scope: !44)
!76 = !DILocation(line: 19, column: 3, scope: !44)
!77 = !DILocation(line: 20, column: 3, scope: !44)
!78 = !DILocation(line: 21, column: 3, scope: !44)
!79 = !DILocation(line: 21, column: 28, scope: !80)
!80 = distinct !DILexicalBlock(scope: !44, file: !2, line: 21, column: 18)
!81 = !DILocation(line: 21, column: 33, scope: !80)
!82 = !DILocation(line: 0, scope: !57)
!83 = !DILocation(line: 22, column: 3, scope: !57)
!84 = !DILocation(line: 21, column: 54, scope: !80)
!85 = !DILocation(line: 21, column: 59, scope: !80)
!86 = !DILocation(line: 21, column: 80, scope: !80)
!87 = !DILocation(line: 21, column: 84, scope: !80)
!88 = !DILocation(line: 22, column: 21, scope: !89)
!89 = distinct !DILexicalBlock(scope: !57, file: !2, line: 22, column: 3)
!90 = !DILocation(line: 22, column: 31, scope: !89)
!91 = !DILocation(line: 22, column: 50, scope: !89)
!92 = !DILocation(line: 22, column: 35, scope: !89)
!93 = distinct !{!93, !83, !94, !95, !96, !97}
!94 = !DILocation(line: 22, column: 53, scope: !57)
!95 = !{!"llvm.loop.mustprogress"}
!96 = !{!"llvm.loop.isvectorized", i32 1}
!97 = !{!"llvm.loop.unroll.runtime.disable"}
!98 = !DILocalVariable(name: "b", arg: 1, scope: !99, file: !2, line: 10, type: !47)
!99 = distinct !DISubprogram(name: "sum", scope: !2, file: !2, line: 10, type: !100, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !102)
!100 = !DISubroutineType(types: !101)
!101 = !{!51, !47}
!102 = !{!98}
!103 = !DILocation(line: 10, column: 28, scope: !99, inlinedAt: !104)
!104 = distinct !DILocation(line: 23, column: 15, scope: !44)
!105 = !DILocation(line: 10, column: 40, scope: !99, inlinedAt: !104)
!106 = !{!107, !107, i64 0}
!107 = !{!"long", !63, i64 0}
!108 = !DILocation(line: 10, column: 53, scope: !99, inlinedAt: !104)
!109 = !DILocation(line: 10, column: 51, scope: !99, inlinedAt: !104)
!110 = !DILocation(line: 23, column: 10, scope: !44)
!111 = !DILocation(line: 23, column: 3, scope: !44)
!112 = distinct !{!112, !83, !94, !95, !97, !96}
!113 = !DISubprogram(name: "printf", scope: !2, file: !2, line: 9, type: !114, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !116)
!114 = !DISubroutineType(types: !115)
!115 = !{!11, !35, null}
!116 = !{}
