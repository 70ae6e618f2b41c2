; ModuleID = 'sample'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i8, [3 x i32] }
%struct.big = type { [4 x i64] }

@.str = private unnamed_addr constant [4 x i8] c"hi\0A\00", align 1
@greeting = dso_local local_unnamed_addr global i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0), align 8, !dbg !0
@ratio = dso_local local_unnamed_addr global double 1.000000e-01, align 8, !dbg !7
@data = internal unnamed_addr global %struct.pair { i8 120, [3 x i32] [i32 1, i32 2, i32 -3] }, align 4, !dbg !15
@ready = dso_local global i32 0, align 4, !dbg !10
@.str.1 = private unnamed_addr constant [7 x i8] c"%s %d\0A\00", align 1
@mine = dso_local thread_local local_unnamed_addr global i32 0, align 4, !dbg !13

; Function Attrs: nounwind uwtable
define dso_local i32 @publish(i32 noundef %0, %struct.big* nocapture noundef readonly byval(%struct.big) align 8 %1) local_unnamed_addr #0 !dbg !34 {
  call void @llvm.dbg.value(metadata i32 %0, metadata !45, metadata !DIExpression()), !dbg !50
  call void @llvm.dbg.declare(metadata %struct.big* %1, metadata !46, metadata !DIExpression()), !dbg !51
  store i32 %0, i32* getelementptr inbounds (%struct.pair, %struct.pair* @data, i64 0, i32 1, i64 1), align 4, !dbg !52, !tbaa !53
  tail call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"() #4, !dbg !57, !srcloc !58
  store atomic i32 1, i32* @ready release, align 4, !dbg !59
  call void @llvm.dbg.value(metadata i32 1, metadata !47, metadata !DIExpression()), !dbg !50
  %3 = cmpxchg weak i32* @ready, i32 1, i32 2 acq_rel monotonic, align 4, !dbg !60
  %4 = extractvalue { i32, i1 } %3, 1, !dbg !60
  call void @llvm.dbg.value(metadata i32 undef, metadata !47, metadata !DIExpression()), !dbg !50
  br i1 %4, label %5, label %8, !dbg !62

5:                                                ; preds = %2
  call void @llvm.dbg.value(metadata i32 1, metadata !47, metadata !DIExpression()), !dbg !50
  %6 = load i8*, i8** @greeting, align 8, !dbg !63, !tbaa !64
  %7 = tail call i32 (i8*, ...) @printf(i8* noundef nonnull dereferenceable(1) getelementptr inbounds ([7 x i8], [7 x i8]* @.str.1, i64 0, i64 0), i8* noundef %6, i32 noundef 1), !dbg !66
  br label %8, !dbg !66

8:                                                ; preds = %5, %2
  %9 = atomicrmw add i32* @ready, i32 %0 seq_cst, align 4, !dbg !67
  fence seq_cst, !dbg !68
  fence syncscope("singlethread") acquire, !dbg !69
  switch i32 %0, label %12 [
    i32 1, label %10
    i32 -7, label %11
  ], !dbg !70

10:                                               ; preds = %8
  store i32 5, i32* @mine, align 4, !dbg !71, !tbaa !53
  call void @llvm.dbg.value(metadata i32 0, metadata !48, metadata !DIExpression()), !dbg !73
  br label %16, !dbg !74

11:                                               ; preds = %8
  store i32 6, i32* @mine, align 4, !dbg !75, !tbaa !53
  call void @llvm.dbg.value(metadata i32 0, metadata !48, metadata !DIExpression()), !dbg !73
  br label %80, !dbg !74

12:                                               ; preds = %8
  %13 = load i32, i32* @mine, align 4, !dbg !76, !tbaa !53
  %14 = add nsw i32 %13, 1, !dbg !76
  store i32 %14, i32* @mine, align 4, !dbg !76, !tbaa !53
  call void @llvm.dbg.value(metadata i32 0, metadata !48, metadata !DIExpression()), !dbg !73
  %15 = icmp sgt i32 %0, 0, !dbg !77
  br i1 %15, label %16, label %80, !dbg !74

16:                                               ; preds = %10, %12
  %17 = zext i32 %0 to i64, !dbg !77
  %18 = icmp ult i32 %0, 8, !dbg !74
  br i1 %18, label %78, label %19, !dbg !74

19:                                               ; preds = %16
  %20 = and i64 %17, 4294967288, !dbg !74
  %21 = add nsw i64 %20, -8, !dbg !74
  %22 = lshr exact i64 %21, 3, !dbg !74
  %23 = add nuw nsw i64 %22, 1, !dbg !74
  %24 = and i64 %23, 1, !dbg !74
  %25 = icmp eq i64 %21, 0, !dbg !74
  br i1 %25, label %60, label %26, !dbg !74

26:                                               ; preds = %19
  %27 = and i64 %23, 4611686018427387902, !dbg !74
  br label %28, !dbg !74

28:                                               ; preds = %28, %26
  %29 = phi i64 [ 0, %26 ], [ %56, %28 ], !dbg !79
  %30 = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %26 ], [ %57, %28 ], !dbg !80
  %31 = phi i64 [ 0, %26 ], [ %58, %28 ]
  %32 = add <4 x i32> %30, <i32 4, i32 4, i32 4, i32 4>, !dbg !80
  %33 = getelementptr inbounds %struct.pair, %struct.pair* @data, i64 0, i32 1, i64 %29, !dbg !79
  %34 = bitcast i32* %33 to <4 x i32>*, !dbg !80
  %35 = load <4 x i32>, <4 x i32>* %34, align 4, !dbg !80, !tbaa !53
  %36 = getelementptr inbounds i32, i32* %33, i64 4, !dbg !80
  %37 = bitcast i32* %36 to <4 x i32>*, !dbg !80
  %38 = load <4 x i32>, <4 x i32>* %37, align 4, !dbg !80, !tbaa !53
  %39 = add nsw <4 x i32> %35, %30, !dbg !80
  %40 = add nsw <4 x i32> %38, %32, !dbg !80
  %41 = bitcast i32* %33 to <4 x i32>*, !dbg !80
  store <4 x i32> %39, <4 x i32>* %41, align 4, !dbg !80, !tbaa !53
  %42 = bitcast i32* %36 to <4 x i32>*, !dbg !80
  store <4 x i32> %40, <4 x i32>* %42, align 4, !dbg !80, !tbaa !53
  %43 = or i64 %29, 8, !dbg !79
  %44 = add <4 x i32> %30, <i32 8, i32 8, i32 8, i32 8>, !dbg !80
  %45 = add <4 x i32> %30, <i32 12, i32 12, i32 12, i32 12>, !dbg !80
  %46 = getelementptr inbounds %struct.pair, %struct.pair* @data, i64 0, i32 1, i64 %43, !dbg !79
  %47 = bitcast i32* %46 to <4 x i32>*, !dbg !80
  %48 = load <4 x i32>, <4 x i32>* %47, align 4, !dbg !80, !tbaa !53
  %49 = getelementptr inbounds i32, i32* %46, i64 4, !dbg !80
  %50 = bitcast i32* %49 to <4 x i32>*, !dbg !80
  %51 = load <4 x i32>, <4 x i32>* %50, align 4, !dbg !80, !tbaa !53
  %52 = add nsw <4 x i32> %48, %44, !dbg !80
  %53 = add nsw <4 x i32> %51, %45, !dbg !80
  %54 = bitcast i32* %46 to <4 x i32>*, !dbg !80
  store <4 x i32> %52, <4 x i32>* %54, align 4, !dbg !80, !tbaa !53
  %55 = bitcast i32* %49 to <4 x i32>*, !dbg !80
  store <4 x i32> %53, <4 x i32>* %55, align 4, !dbg !80, !tbaa !53
  %56 = add nuw i64 %29, 16, !dbg !79
  %57 = add <4 x i32> %30, <i32 16, i32 16, i32 16, i32 16>, !dbg !80
  %58 = add i64 %31, 2, !dbg !79
  %59 = icmp eq i64 %58, %27, !dbg !79
  br i1 %59, label %60, label %28, !dbg !79, !llvm.loop !81

60:                                               ; preds = %28, %19
  %61 = phi i64 [ 0, %19 ], [ %56, %28 ]
  %62 = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %19 ], [ %57, %28 ]
  %63 = icmp eq i64 %24, 0, !dbg !79
  br i1 %63, label %76, label %64, !dbg !79

64:                                               ; preds = %60
  %65 = add <4 x i32> %62, <i32 4, i32 4, i32 4, i32 4>, !dbg !80
  %66 = getelementptr inbounds %struct.pair, %struct.pair* @data, i64 0, i32 1, i64 %61, !dbg !79
  %67 = bitcast i32* %66 to <4 x i32>*, !dbg !80
  %68 = load <4 x i32>, <4 x i32>* %67, align 4, !dbg !80, !tbaa !53
  %69 = getelementptr inbounds i32, i32* %66, i64 4, !dbg !80
  %70 = bitcast i32* %69 to <4 x i32>*, !dbg !80
  %71 = load <4 x i32>, <4 x i32>* %70, align 4, !dbg !80, !tbaa !53
  %72 = add nsw <4 x i32> %68, %62, !dbg !80
  %73 = add nsw <4 x i32> %71, %65, !dbg !80
  %74 = bitcast i32* %66 to <4 x i32>*, !dbg !80
  store <4 x i32> %72, <4 x i32>* %74, align 4, !dbg !80, !tbaa !53
  %75 = bitcast i32* %69 to <4 x i32>*, !dbg !80
  store <4 x i32> %73, <4 x i32>* %75, align 4, !dbg !80, !tbaa !53
  br label %76, !dbg !74

76:                                               ; preds = %60, %64
  %77 = icmp eq i64 %20, %17, !dbg !74
  br i1 %77, label %80, label %78, !dbg !74

78:                                               ; preds = %16, %76
  %79 = phi i64 [ 0, %16 ], [ %20, %76 ]
  br label %87, !dbg !74

80:                                               ; preds = %87, %76, %11, %12
  call void @llvm.dbg.declare(metadata %struct.big* %1, metadata !85, metadata !DIExpression()), !dbg !90
  %81 = getelementptr inbounds %struct.big, %struct.big* %1, i64 0, i32 0, i64 0, !dbg !92
  %82 = load i64, i64* %81, align 8, !dbg !92, !tbaa !93
  %83 = getelementptr inbounds %struct.big, %struct.big* %1, i64 0, i32 0, i64 3, !dbg !95
  %84 = load i64, i64* %83, align 8, !dbg !95, !tbaa !93
  %85 = add nsw i64 %84, %82, !dbg !96
  %86 = trunc i64 %85 to i32, !dbg !97
  ret i32 %86, !dbg !98

87:                                               ; preds = %78, %87
  %88 = phi i64 [ %93, %87 ], [ %79, %78 ]
  call void @llvm.dbg.value(metadata i64 %88, metadata !48, metadata !DIExpression()), !dbg !73
  %89 = getelementptr inbounds %struct.pair, %struct.pair* @data, i64 0, i32 1, i64 %88, !dbg !99
  %90 = load i32, i32* %89, align 4, !dbg !80, !tbaa !53
  %91 = trunc i64 %88 to i32, !dbg !80
  %92 = add nsw i32 %90, %91, !dbg !80
  store i32 %92, i32* %89, align 4, !dbg !80, !tbaa !53
  %93 = add nuw nsw i64 %88, 1, !dbg !79
  call void @llvm.dbg.value(metadata i64 %93, metadata !48, metadata !DIExpression()), !dbg !73
  %94 = icmp eq i64 %93, %17, !dbg !77
  br i1 %94, label %80, label %87, !dbg !74, !llvm.loop !100
}

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: nofree nounwind
declare noundef i32 @printf(i8* nocapture noundef readonly, ...) local_unnamed_addr #2

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #3

attributes #0 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { nofree nounwind "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!27, !28, !29, !30, !31, !32}
!llvm.ident = !{!33}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "greeting", scope: !2, file: !3, line: 6, type: !25, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
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
!33 = !{!"clang version 14.0.6"}
!34 = distinct !DISubprogram(name: "publish", scope: !3, file: !3, line: 11, type: !35, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !44)
!35 = !DISubroutineType(types: !36)
!36 = !{!5, !5, !37}
!37 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "big", file: !3, line: 3, size: 256, elements: !38)
!38 = !{!39}
!39 = !DIDerivedType(tag: DW_TAG_member, name: "words", scope: !37, file: !3, line: 3, baseType: !40, size: 256)
!40 = !DICompositeType(tag: DW_TAG_array_type, baseType: !41, size: 256, elements: !42)
!41 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!42 = !{!43}
!43 = !DISubrange(count: 4)
!44 = !{!45, !46, !47, !48}
!45 = !DILocalVariable(name: "value", arg: 1, scope: !34, file: !3, line: 11, type: !5)
!46 = !DILocalVariable(name: "b", arg: 2, scope: !34, file: !3, line: 11, type: !37)
!47 = !DILocalVariable(name: "expected", scope: !34, file: !3, line: 15, type: !5)
!48 = !DILocalVariable(name: "i", scope: !49, file: !3, line: 22, type: !5)
!49 = distinct !DILexicalBlock(scope: !34, file: !3, line: 22, column: 3)
!50 = !DILocation(line: 0, scope: !34)
!51 = !DILocation(line: 11, column: 35, scope: !34)
!52 = !DILocation(line: 12, column: 18, scope: !34)
!53 = !{!54, !54, i64 0}
!54 = !{!"int", !55, i64 0}
!55 = !{!"omnipotent char", !56, i64 0}
!56 = !{!"Simple C/C++ TBAA"}
!57 = !DILocation(line: 13, column: 3, scope: !34)
!58 = !{i64 425}
!59 = !DILocation(line: 14, column: 3, scope: !34)
!60 = !DILocation(line: 16, column: 7, scope: !61)
!61 = distinct !DILexicalBlock(scope: !34, file: !3, line: 16, column: 7)
!62 = !DILocation(line: 16, column: 7, scope: !34)
!63 = !DILocation(line: 17, column: 23, scope: !61)
!64 = !{!65, !65, i64 0}
!65 = !{!"any pointer", !55, i64 0}
!66 = !DILocation(line: 17, column: 5, scope: !61)
!67 = !DILocation(line: 18, column: 3, scope: !34)
!68 = !DILocation(line: 19, column: 3, scope: !34)
!69 = !DILocation(line: 20, column: 3, scope: !34)
!70 = !DILocation(line: 21, column: 3, scope: !34)
!71 = !DILocation(line: 21, column: 33, scope: !72)
!72 = distinct !DILexicalBlock(scope: !34, file: !3, line: 21, column: 18)
!73 = !DILocation(line: 0, scope: !49)
!74 = !DILocation(line: 22, column: 3, scope: !49)
!75 = !DILocation(line: 21, column: 59, scope: !72)
!76 = !DILocation(line: 21, column: 84, scope: !72)
!77 = !DILocation(line: 22, column: 21, scope: !78)
!78 = distinct !DILexicalBlock(scope: !49, file: !3, line: 22, column: 3)
!79 = !DILocation(line: 22, column: 31, scope: !78)
!80 = !DILocation(line: 22, column: 50, scope: !78)
!81 = distinct !{!81, !74, !82, !83, !84}
!82 = !DILocation(line: 22, column: 53, scope: !49)
!83 = !{!"llvm.loop.mustprogress"}
!84 = !{!"llvm.loop.isvectorized", i32 1}
!85 = !DILocalVariable(name: "b", arg: 1, scope: !86, file: !3, line: 10, type: !37)
!86 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 10, type: !87, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !89)
!87 = !DISubroutineType(types: !88)
!88 = !{!41, !37}
!89 = !{!85}
!90 = !DILocation(line: 10, column: 28, scope: !86, inlinedAt: !91)
!91 = distinct !DILocation(line: 23, column: 15, scope: !34)
!92 = !DILocation(line: 10, column: 40, scope: !86, inlinedAt: !91)
!93 = !{!94, !94, i64 0}
!94 = !{!"long", !55, i64 0}
!95 = !DILocation(line: 10, column: 53, scope: !86, inlinedAt: !91)
!96 = !DILocation(line: 10, column: 51, scope: !86, inlinedAt: !91)
!97 = !DILocation(line: 23, column: 10, scope: !34)
!98 = !DILocation(line: 23, column: 3, scope: !34)
!99 = !DILocation(line: 22, column: 35, scope: !78)
!100 = distinct !{!100, !74, !82, !83, !101, !84}
!101 = !{!"llvm.loop.unroll.runtime.disable"}
