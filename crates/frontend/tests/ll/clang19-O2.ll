; ModuleID = 'sample'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i8, [3 x i32] }
%struct.big = type { [4 x i64] }

@.str = private unnamed_addr constant [4 x i8] c"hi\0A\00", align 1, !dbg !0
@greeting = dso_local local_unnamed_addr global ptr @.str, align 8, !dbg !7
@ratio = dso_local local_unnamed_addr global double 1.000000e-01, align 8, !dbg !13
@data = internal unnamed_addr global %struct.pair { i8 120, [3 x i32] [i32 1, i32 2, i32 -3] }, align 4, !dbg !26
@ready = dso_local global i32 0, align 4, !dbg !21
@.str.1 = private unnamed_addr constant [7 x i8] c"%s %d\0A\00", align 1, !dbg !16
@mine = dso_local thread_local local_unnamed_addr global i32 0, align 4, !dbg !24

; Function Attrs: nounwind uwtable
define dso_local i32 @publish(i32 noundef %0, ptr nocapture noundef readonly byval(%struct.big) align 8 %1) local_unnamed_addr #0 !dbg !45 {
    #dbg_value(i32 %0, !54, !DIExpression(), !59)
    #dbg_declare(ptr %1, !55, !DIExpression(), !60)
  store i32 %0, ptr getelementptr inbounds (i8, ptr @data, i64 8), align 4, !dbg !61, !tbaa !62
  tail call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"() #3, !dbg !66, !srcloc !67
  store atomic i32 1, ptr @ready release, align 4, !dbg !68
    #dbg_value(i32 1, !56, !DIExpression(), !59)
  %3 = cmpxchg weak ptr @ready, i32 1, i32 2 acq_rel monotonic, align 4, !dbg !69
  %4 = extractvalue { i32, i1 } %3, 1, !dbg !69
    #dbg_value(i32 undef, !56, !DIExpression(), !59)
  br i1 %4, label %5, label %8, !dbg !71

5:                                                ; preds = %2
  %6 = load ptr, ptr @greeting, align 8, !dbg !72, !tbaa !73
  %7 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str.1, ptr noundef %6, i32 noundef 1), !dbg !75
  br label %8, !dbg !75

8:                                                ; preds = %5, %2
  %9 = atomicrmw add ptr @ready, i32 %0 seq_cst, align 4, !dbg !76
  fence seq_cst, !dbg !77
  fence syncscope("singlethread") acquire, !dbg !78
  %10 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !79
  switch i32 %0, label %13 [
    i32 1, label %11
    i32 -7, label %12
  ], !dbg !81

11:                                               ; preds = %8
  store i32 5, ptr %10, align 4, !dbg !82, !tbaa !62
    #dbg_value(i32 0, !57, !DIExpression(), !83)
  br label %17, !dbg !84

12:                                               ; preds = %8
  store i32 6, ptr %10, align 4, !dbg !85, !tbaa !62
    #dbg_value(i32 0, !57, !DIExpression(), !83)
  br label %39, !dbg !84

13:                                               ; preds = %8
  %14 = load i32, ptr %10, align 4, !dbg !86, !tbaa !62
  %15 = add nsw i32 %14, 1, !dbg !86
  store i32 %15, ptr %10, align 4, !dbg !86, !tbaa !62
    #dbg_value(i32 0, !57, !DIExpression(), !83)
  %16 = icmp sgt i32 %0, 0, !dbg !87
  br i1 %16, label %17, label %39, !dbg !84

17:                                               ; preds = %11, %13
  %18 = zext nneg i32 %0 to i64, !dbg !87
  %19 = icmp ult i32 %0, 8, !dbg !84
  br i1 %19, label %20, label %22, !dbg !84

20:                                               ; preds = %37, %17
  %21 = phi i64 [ 0, %17 ], [ %23, %37 ]
  br label %45, !dbg !84

22:                                               ; preds = %17
  %23 = and i64 %18, 2147483640, !dbg !84
  br label %24, !dbg !84

24:                                               ; preds = %24, %22
  %25 = phi i64 [ 0, %22 ], [ %34, %24 ], !dbg !89
  %26 = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %22 ], [ %35, %24 ], !dbg !90
  %27 = add <4 x i32> %26, <i32 4, i32 4, i32 4, i32 4>, !dbg !90
  %28 = getelementptr inbounds [3 x i32], ptr getelementptr inbounds (i8, ptr @data, i64 4), i64 0, i64 %25, !dbg !91
  %29 = getelementptr inbounds i8, ptr %28, i64 16, !dbg !90
  %30 = load <4 x i32>, ptr %28, align 4, !dbg !90, !tbaa !62
  %31 = load <4 x i32>, ptr %29, align 4, !dbg !90, !tbaa !62
  %32 = add nsw <4 x i32> %30, %26, !dbg !90
  %33 = add nsw <4 x i32> %31, %27, !dbg !90
  store <4 x i32> %32, ptr %28, align 4, !dbg !90, !tbaa !62
  store <4 x i32> %33, ptr %29, align 4, !dbg !90, !tbaa !62
  %34 = add nuw i64 %25, 8, !dbg !89
  %35 = add <4 x i32> %26, <i32 8, i32 8, i32 8, i32 8>, !dbg !90
  %36 = icmp eq i64 %34, %23, !dbg !89
  br i1 %36, label %37, label %24, !dbg !89, !llvm.loop !92

37:                                               ; preds = %24
  %38 = icmp eq i64 %23, %18, !dbg !84
  br i1 %38, label %39, label %20, !dbg !84

39:                                               ; preds = %45, %37, %12, %13
    #dbg_declare(ptr %1, !97, !DIExpression(), !102)
  %40 = load i64, ptr %1, align 8, !dbg !104, !tbaa !105
  %41 = getelementptr inbounds i8, ptr %1, i64 24, !dbg !107
  %42 = load i64, ptr %41, align 8, !dbg !107, !tbaa !105
  %43 = add nsw i64 %42, %40, !dbg !108
  %44 = trunc i64 %43 to i32, !dbg !109
  ret i32 %44, !dbg !110

45:                                               ; preds = %20, %45
  %46 = phi i64 [ %51, %45 ], [ %21, %20 ]
    #dbg_value(i64 %46, !57, !DIExpression(), !83)
  %47 = getelementptr inbounds [3 x i32], ptr getelementptr inbounds (i8, ptr @data, i64 4), i64 0, i64 %46, !dbg !91
  %48 = load i32, ptr %47, align 4, !dbg !90, !tbaa !62
  %49 = trunc nuw nsw i64 %46 to i32, !dbg !90
  %50 = add nsw i32 %48, %49, !dbg !90
  store i32 %50, ptr %47, align 4, !dbg !90, !tbaa !62
  %51 = add nuw nsw i64 %46, 1, !dbg !89
    #dbg_value(i64 %51, !57, !DIExpression(), !83)
  %52 = icmp eq i64 %51, %18, !dbg !87
  br i1 %52, label %39, label %45, !dbg !84, !llvm.loop !111
}

; Function Attrs: nofree nounwind
declare !dbg !112 noundef i32 @printf(ptr nocapture noundef readonly, ...) local_unnamed_addr #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
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
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang version 19.1.7", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !10, globals: !12, splitDebugInlining: false, nameTableKind: None)
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
!43 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!44 = !{!"clang version 19.1.7"}
!45 = distinct !DISubprogram(name: "publish", scope: !2, file: !2, line: 11, type: !46, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !53)
!46 = !DISubroutineType(types: !47)
!47 = !{!11, !11, !48}
!48 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "big", file: !2, line: 3, size: 256, elements: !49)
!49 = !{!50}
!50 = !DIDerivedType(tag: DW_TAG_member, name: "words", scope: !48, file: !2, line: 3, baseType: !51, size: 256)
!51 = !DICompositeType(tag: DW_TAG_array_type, baseType: !52, size: 256, elements: !5)
!52 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!53 = !{!54, !55, !56, !57}
!54 = !DILocalVariable(name: "value", arg: 1, scope: !45, file: !2, line: 11, type: !11)
!55 = !DILocalVariable(name: "b", arg: 2, scope: !45, file: !2, line: 11, type: !48)
!56 = !DILocalVariable(name: "expected", scope: !45, file: !2, line: 15, type: !11)
!57 = !DILocalVariable(name: "i", scope: !58, file: !2, line: 22, type: !11)
!58 = distinct !DILexicalBlock(scope: !45, file: !2, line: 22, column: 3)
!59 = !DILocation(line: 0, scope: !45)
!60 = !DILocation(line: 11, column: 35, scope: !45)
!61 = !DILocation(line: 12, column: 18, scope: !45)
!62 = !{!63, !63, i64 0}
!63 = !{!"int", !64, i64 0}
!64 = !{!"omnipotent char", !65, i64 0}
!65 = !{!"Simple C/C++ TBAA"}
!66 = !DILocation(line: 13, column: 3, scope: !45)
!67 = !{i64 425}
!68 = !DILocation(line: 14, column: 3, scope: !45)
!69 = !DILocation(line: 16, column: 7, scope: !70)
!70 = distinct !DILexicalBlock(scope: !45, file: !2, line: 16, column: 7)
!71 = !DILocation(line: 16, column: 7, scope: !45)
!72 = !DILocation(line: 17, column: 23, scope: !70)
!73 = !{!74, !74, i64 0}
!74 = !{!"any pointer", !64, i64 0}
!75 = !DILocation(line: 17, column: 5, scope: !70)
!76 = !DILocation(line: 18, column: 3, scope: !45)
!77 = !DILocation(line: 19, column: 3, scope: !45)
!78 = !DILocation(line: 20, column: 3, scope: !45)
!79 = !DILocation(line: 21, scope: !80)
!80 = distinct !DILexicalBlock(scope: !45, file: !2, line: 21, column: 18)
!81 = !DILocation(line: 21, column: 3, scope: !45)
!82 = !DILocation(line: 21, column: 33, scope: !80)
!83 = !DILocation(line: 0, scope: !58)
!84 = !DILocation(line: 22, column: 3, scope: !58)
!85 = !DILocation(line: 21, column: 59, scope: !80)
!86 = !DILocation(line: 21, column: 84, scope: !80)
!87 = !DILocation(line: 22, column: 21, scope: !88)
!88 = distinct !DILexicalBlock(scope: !58, file: !2, line: 22, column: 3)
!89 = !DILocation(line: 22, column: 31, scope: !88)
!90 = !DILocation(line: 22, column: 50, scope: !88)
!91 = !DILocation(line: 22, column: 35, scope: !88)
!92 = distinct !{!92, !84, !93, !94, !95, !96}
!93 = !DILocation(line: 22, column: 53, scope: !58)
!94 = !{!"llvm.loop.mustprogress"}
!95 = !{!"llvm.loop.isvectorized", i32 1}
!96 = !{!"llvm.loop.unroll.runtime.disable"}
!97 = !DILocalVariable(name: "b", arg: 1, scope: !98, file: !2, line: 10, type: !48)
!98 = distinct !DISubprogram(name: "sum", scope: !2, file: !2, line: 10, type: !99, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !101)
!99 = !DISubroutineType(types: !100)
!100 = !{!52, !48}
!101 = !{!97}
!102 = !DILocation(line: 10, column: 28, scope: !98, inlinedAt: !103)
!103 = distinct !DILocation(line: 23, column: 15, scope: !45)
!104 = !DILocation(line: 10, column: 40, scope: !98, inlinedAt: !103)
!105 = !{!106, !106, i64 0}
!106 = !{!"long", !64, i64 0}
!107 = !DILocation(line: 10, column: 53, scope: !98, inlinedAt: !103)
!108 = !DILocation(line: 10, column: 51, scope: !98, inlinedAt: !103)
!109 = !DILocation(line: 23, column: 10, scope: !45)
!110 = !DILocation(line: 23, column: 3, scope: !45)
!111 = distinct !{!111, !84, !93, !94, !96, !95}
!112 = !DISubprogram(name: "printf", scope: !2, file: !2, line: 9, type: !113, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!113 = !DISubroutineType(types: !114)
!114 = !{!11, !35, null}
