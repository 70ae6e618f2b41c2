; ModuleID = 'sample'
source_filename = "sample.d22300a78659fc70-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@_ZN6sample5READY17hac22bf5bd3f4b47cE = global [4 x i8] zeroinitializer, align 4, !dbg !0

; Function Attrs: mustprogress nofree norecurse nounwind nonlazybind willreturn uwtable
define { i32, i32 } @publish(i32 noundef %value) unnamed_addr #0 !dbg !36 {
start:
    #dbg_value(i32 %value, !52, !DIExpression(), !55)
    #dbg_value(i32 %value, !56, !DIExpression(), !66)
    #dbg_value(i8 1, !65, !DIExpression(), !66)
    #dbg_value(ptr @_ZN6sample5READY17hac22bf5bd3f4b47cE, !68, !DIExpression(), !94)
    #dbg_value(i32 1, !90, !DIExpression(), !94)
    #dbg_value(i32 2, !91, !DIExpression(), !94)
    #dbg_value(i8 3, !92, !DIExpression(), !94)
    #dbg_value(i8 0, !93, !DIExpression(), !94)
    #dbg_value(ptr @_ZN6sample5READY17hac22bf5bd3f4b47cE, !64, !DIExpression(), !66)
    #dbg_value(ptr @_ZN6sample5READY17hac22bf5bd3f4b47cE, !96, !DIExpression(), !104)
    #dbg_value(i32 %value, !102, !DIExpression(), !104)
    #dbg_value(i8 1, !103, !DIExpression(), !104)
  store atomic i32 %value, ptr @_ZN6sample5READY17hac22bf5bd3f4b47cE release, align 4, !dbg !106
    #dbg_value(i8 4, !107, !DIExpression(), !112)
  fence seq_cst, !dbg !114
    #dbg_value(ptr @_ZN6sample5READY17hac22bf5bd3f4b47cE, !115, !DIExpression(), !128)
    #dbg_value(i32 1, !120, !DIExpression(), !128)
    #dbg_value(i32 2, !121, !DIExpression(), !128)
    #dbg_value(i8 3, !122, !DIExpression(), !128)
    #dbg_value(i8 0, !123, !DIExpression(), !128)
  %0 = cmpxchg ptr @_ZN6sample5READY17hac22bf5bd3f4b47cE, i32 1, i32 2 acq_rel monotonic, align 4, !dbg !130
  %1 = extractvalue { i32, i1 } %0, 1, !dbg !130
  %2 = extractvalue { i32, i1 } %0, 0, !dbg !130
  %_0.sroa.3.0 = select i1 %1, i32 %2, i32 undef, !dbg !131
  %_0.sroa.0.0 = zext i1 %1 to i32, !dbg !131
  %3 = insertvalue { i32, i32 } poison, i32 %_0.sroa.0.0, 0, !dbg !132
  %4 = insertvalue { i32, i32 } %3, i32 %_0.sroa.3.0, 1, !dbg !132
  ret { i32, i32 } %4, !dbg !132
}

attributes #0 = { mustprogress nofree norecurse nounwind nonlazybind willreturn uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }

!llvm.module.flags = !{!19, !20, !21, !22}
!llvm.ident = !{!23}
!llvm.dbg.cu = !{!24}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "READY", linkageName: "_ZN6sample5READY17hac22bf5bd3f4b47cE", scope: !2, file: !3, line: 3, type: !4, isLocal: false, isDefinition: true, align: 32)
!2 = !DINamespace(name: "sample", scope: null)
!3 = !DIFile(filename: "sample.rs", directory: ".")
!4 = !DICompositeType(tag: DW_TAG_structure_type, name: "AtomicU32", scope: !6, file: !5, size: 32, align: 32, flags: DIFlagPublic, elements: !9, templateParams: !18, identifier: "c7c2c74a85904bd0c8528b4e15d5ce44")
!5 = !DIFile(filename: "<unknown>", directory: ".")
!6 = !DINamespace(name: "atomic", scope: !7)
!7 = !DINamespace(name: "sync", scope: !8)
!8 = !DINamespace(name: "core", scope: null)
!9 = !{!10}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !4, file: !5, baseType: !11, size: 32, align: 32, flags: DIFlagPrivate)
!11 = !DICompositeType(tag: DW_TAG_structure_type, name: "UnsafeCell<u32>", scope: !12, file: !5, size: 32, align: 32, flags: DIFlagPublic, elements: !13, templateParams: !16, identifier: "276fcd5afdff990e3d83fbd36936145c")
!12 = !DINamespace(name: "cell", scope: !8)
!13 = !{!14}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !11, file: !5, baseType: !15, size: 32, align: 32, flags: DIFlagPrivate)
!15 = !DIBasicType(name: "u32", size: 32, encoding: DW_ATE_unsigned)
!16 = !{!17}
!17 = !DITemplateTypeParameter(name: "T", type: !15)
!18 = !{}
!19 = !{i32 8, !"PIC Level", i32 2}
!20 = !{i32 2, !"RtLibUseGOT", i32 1}
!21 = !{i32 7, !"Dwarf Version", i32 4}
!22 = !{i32 2, !"Debug Info Version", i32 3}
!23 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!24 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !25, producer: "clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !26, globals: !35, splitDebugInlining: false, nameTableKind: None)
!25 = !DIFile(filename: "sample.d22300a78659fc70-cgu.0", directory: ".")
!26 = !{!27}
!27 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "Ordering", scope: !6, file: !5, baseType: !28, size: 8, align: 8, flags: DIFlagEnumClass, elements: !29)
!28 = !DIBasicType(name: "u8", size: 8, encoding: DW_ATE_unsigned)
!29 = !{!30, !31, !32, !33, !34}
!30 = !DIEnumerator(name: "Relaxed", value: 0, isUnsigned: true)
!31 = !DIEnumerator(name: "Release", value: 1, isUnsigned: true)
!32 = !DIEnumerator(name: "Acquire", value: 2, isUnsigned: true)
!33 = !DIEnumerator(name: "AcqRel", value: 3, isUnsigned: true)
!34 = !DIEnumerator(name: "SeqCst", value: 4, isUnsigned: true)
!35 = !{!0}
!36 = distinct !DISubprogram(name: "publish", scope: !2, file: !3, line: 5, type: !37, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !24, templateParams: !18, retainedNodes: !51)
!37 = !DISubroutineType(types: !38)
!38 = !{!39, !15}
!39 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<u32>", scope: !40, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !41, templateParams: !18, identifier: "6f9cf68b0721c153842fac1aca06aca0")
!40 = !DINamespace(name: "option", scope: !8)
!41 = !{!42}
!42 = !DICompositeType(tag: DW_TAG_variant_part, scope: !39, file: !5, size: 64, align: 32, elements: !43, templateParams: !18, identifier: "52547bc7e29ba4c3a424c45f3b6ad9d5", discriminator: !50)
!43 = !{!44, !46}
!44 = !DIDerivedType(tag: DW_TAG_member, name: "None", scope: !42, file: !5, baseType: !45, size: 64, align: 32, extraData: i32 0)
!45 = !DICompositeType(tag: DW_TAG_structure_type, name: "None", scope: !39, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !18, templateParams: !16, identifier: "2d35c67b0b954dbe72d9ec7c545db516")
!46 = !DIDerivedType(tag: DW_TAG_member, name: "Some", scope: !42, file: !5, baseType: !47, size: 64, align: 32, extraData: i32 1)
!47 = !DICompositeType(tag: DW_TAG_structure_type, name: "Some", scope: !39, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !48, templateParams: !16, identifier: "8398ebe1588ef464fb4c1616d021a5e8")
!48 = !{!49}
!49 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !47, file: !5, baseType: !15, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!50 = !DIDerivedType(tag: DW_TAG_member, scope: !39, file: !5, baseType: !15, size: 32, align: 32, flags: DIFlagArtificial)
!51 = !{!52, !53}
!52 = !DILocalVariable(name: "value", arg: 1, scope: !36, file: !3, line: 5, type: !15)
!53 = !DILocalVariable(name: "old", scope: !54, file: !3, line: 8, type: !15, align: 32)
!54 = distinct !DILexicalBlock(scope: !36, file: !3, line: 8, column: 79)
!55 = !DILocation(line: 0, scope: !36)
!56 = !DILocalVariable(name: "val", arg: 2, scope: !57, file: !58, line: 2870, type: !15)
!57 = distinct !DISubprogram(name: "store", linkageName: "_RNvMs1b_NtNtCsgEmfK2I1SDS_4core4sync6atomicNtB6_9AtomicU325store", scope: !4, file: !58, line: 2870, type: !59, scopeLine: 2870, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !24, templateParams: !18, declaration: !62, retainedNodes: !63)
!58 = !DIFile(filename: "atomic.rs", directory: ".")
!59 = !DISubroutineType(types: !60)
!60 = !{null, !61, !15, !27}
!61 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&core::sync::atomic::AtomicU32", baseType: !4, size: 64, align: 64, dwarfAddressSpace: 0)
!62 = !DISubprogram(name: "store", linkageName: "_RNvMs1b_NtNtCsgEmfK2I1SDS_4core4sync6atomicNtB6_9AtomicU325store", scope: !4, file: !58, line: 2870, type: !59, scopeLine: 2870, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagOptimized, templateParams: !18)
!63 = !{!64, !56, !65}
!64 = !DILocalVariable(name: "self", arg: 1, scope: !57, file: !58, line: 2870, type: !61)
!65 = !DILocalVariable(name: "order", scope: !57, file: !58, line: 2870, type: !27, align: 8)
!66 = !DILocation(line: 0, scope: !57, inlinedAt: !67)
!67 = !DILocation(line: 6, column: 11, scope: !36)
!68 = !DILocalVariable(name: "self", scope: !69, file: !58, line: 3033, type: !61, align: 64)
!69 = distinct !DISubprogram(name: "compare_exchange", linkageName: "_RNvMs1b_NtNtCsgEmfK2I1SDS_4core4sync6atomicNtB6_9AtomicU3216compare_exchange", scope: !4, file: !58, line: 3033, type: !70, scopeLine: 3033, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !24, templateParams: !18, declaration: !88, retainedNodes: !89)
!70 = !DISubroutineType(types: !71)
!71 = !{!72, !61, !15, !15, !27, !27}
!72 = !DICompositeType(tag: DW_TAG_structure_type, name: "Result<u32, u32>", scope: !73, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !74, templateParams: !18, identifier: "8d089503111f4dbe9f42ce667232974b")
!73 = !DINamespace(name: "result", scope: !8)
!74 = !{!75}
!75 = !DICompositeType(tag: DW_TAG_variant_part, scope: !72, file: !5, size: 64, align: 32, elements: !76, templateParams: !18, identifier: "315241547373923611abd5cec3497dfb", discriminator: !87)
!76 = !{!77, !83}
!77 = !DIDerivedType(tag: DW_TAG_member, name: "Ok", scope: !75, file: !5, baseType: !78, size: 64, align: 32, extraData: i32 0)
!78 = !DICompositeType(tag: DW_TAG_structure_type, name: "Ok", scope: !72, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !79, templateParams: !81, identifier: "f8c55f85d42c0f3788b2a95940d8c2e0")
!79 = !{!80}
!80 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !78, file: !5, baseType: !15, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!81 = !{!17, !82}
!82 = !DITemplateTypeParameter(name: "E", type: !15)
!83 = !DIDerivedType(tag: DW_TAG_member, name: "Err", scope: !75, file: !5, baseType: !84, size: 64, align: 32, extraData: i32 1)
!84 = !DICompositeType(tag: DW_TAG_structure_type, name: "Err", scope: !72, file: !5, size: 64, align: 32, flags: DIFlagPublic, elements: !85, templateParams: !81, identifier: "727085c661668e3d7a2869578a770c53")
!85 = !{!86}
!86 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !84, file: !5, baseType: !15, size: 32, align: 32, offset: 32, flags: DIFlagPublic)
!87 = !DIDerivedType(tag: DW_TAG_member, scope: !72, file: !5, baseType: !15, size: 32, align: 32, flags: DIFlagArtificial)
!88 = !DISubprogram(name: "compare_exchange", linkageName: "_RNvMs1b_NtNtCsgEmfK2I1SDS_4core4sync6atomicNtB6_9AtomicU3216compare_exchange", scope: !4, file: !58, line: 3033, type: !70, scopeLine: 3033, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagOptimized, templateParams: !18)
!89 = !{!68, !90, !91, !92, !93}
!90 = !DILocalVariable(name: "current", scope: !69, file: !58, line: 3034, type: !15, align: 32)
!91 = !DILocalVariable(name: "new", scope: !69, file: !58, line: 3035, type: !15, align: 32)
!92 = !DILocalVariable(name: "success", scope: !69, file: !58, line: 3036, type: !27, align: 8)
!93 = !DILocalVariable(name: "failure", scope: !69, file: !58, line: 3037, type: !27, align: 8)
!94 = !DILocation(line: 0, scope: !69, inlinedAt: !95)
!95 = !DILocation(line: 8, column: 17, scope: !36)
!96 = !DILocalVariable(name: "dst", arg: 1, scope: !97, file: !58, line: 3871, type: !100)
!97 = distinct !DISubprogram(name: "atomic_store<u32>", linkageName: "_ZN4core4sync6atomic12atomic_store17h2d38b778446efe22E", scope: !6, file: !58, line: 3871, type: !98, scopeLine: 3871, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !24, templateParams: !16, retainedNodes: !101)
!98 = !DISubroutineType(types: !99)
!99 = !{null, !100, !15, !27}
!100 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*mut u32", baseType: !15, size: 64, align: 64, dwarfAddressSpace: 0)
!101 = !{!96, !102, !103}
!102 = !DILocalVariable(name: "val", arg: 2, scope: !97, file: !58, line: 3871, type: !15)
!103 = !DILocalVariable(name: "order", arg: 3, scope: !97, file: !58, line: 3871, type: !27)
!104 = !DILocation(line: 0, scope: !97, inlinedAt: !105)
!105 = distinct !DILocation(line: 2872, column: 26, scope: !57, inlinedAt: !67)
!106 = !DILocation(line: 3876, column: 24, scope: !97, inlinedAt: !105)
!107 = !DILocalVariable(name: "order", arg: 1, scope: !108, file: !58, line: 4369, type: !27)
!108 = distinct !DISubprogram(name: "fence", linkageName: "_RNvNtNtCsgEmfK2I1SDS_4core4sync6atomic5fence", scope: !6, file: !58, line: 4369, type: !109, scopeLine: 4369, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !24, templateParams: !18, retainedNodes: !111)
!109 = !DISubroutineType(types: !110)
!110 = !{null, !27}
!111 = !{!107}
!112 = !DILocation(line: 0, scope: !108, inlinedAt: !113)
!113 = distinct !DILocation(line: 7, column: 5, scope: !36)
!114 = !DILocation(line: 4376, column: 23, scope: !108, inlinedAt: !113)
!115 = !DILocalVariable(name: "dst", arg: 1, scope: !116, file: !58, line: 3956, type: !100)
!116 = distinct !DISubprogram(name: "atomic_compare_exchange<u32>", linkageName: "_ZN4core4sync6atomic23atomic_compare_exchange17hb94b673f622efb1bE", scope: !6, file: !58, line: 3955, type: !117, scopeLine: 3955, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !24, templateParams: !16, retainedNodes: !119)
!117 = !DISubroutineType(types: !118)
!118 = !{!72, !100, !15, !15, !27, !27}
!119 = !{!115, !120, !121, !122, !123, !124, !126}
!120 = !DILocalVariable(name: "old", arg: 2, scope: !116, file: !58, line: 3957, type: !15)
!121 = !DILocalVariable(name: "new", arg: 3, scope: !116, file: !58, line: 3958, type: !15)
!122 = !DILocalVariable(name: "success", arg: 4, scope: !116, file: !58, line: 3959, type: !27)
!123 = !DILocalVariable(name: "failure", arg: 5, scope: !116, file: !58, line: 3960, type: !27)
!124 = !DILocalVariable(name: "val", scope: !125, file: !58, line: 3963, type: !15, align: 32)
!125 = distinct !DILexicalBlock(scope: !116, file: !58, line: 3963, column: 5)
!126 = !DILocalVariable(name: "ok", scope: !125, file: !58, line: 3963, type: !127, align: 8)
!127 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!128 = !DILocation(line: 0, scope: !116, inlinedAt: !129)
!129 = distinct !DILocation(line: 3039, column: 26, scope: !69, inlinedAt: !95)
!130 = !DILocation(line: 3993, column: 17, scope: !116, inlinedAt: !129)
!131 = !DILocation(line: 8, column: 5, scope: !36)
!132 = !DILocation(line: 9, column: 2, scope: !36)
