; Every instruction and every form of constant, by hand.
source_filename = "every.c"
target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl outside"
module asm "outside: ret"

$shared = comdat any
%struct.node = type { ptr, %0, <{ i8, i32 }> }
%0 = type { i32, [4 x i8] }
%opaque = type opaque
%"odd name" = type <4 x float>

@0 = private unnamed_addr constant [4 x i8] c"a\22\00\FF", align 1
@"quoted \22name\22" = dso_local global i32 -1, section ".data", align 4, !dbg !0
@linked = linkonce_odr global %struct.node zeroinitializer, comdat($shared)
@local = internal thread_local(initialexec) global i64 5
@outer = external thread_local local_unnamed_addr global [0 x i32]
@weak = extern_weak global i8
@floats = global { half, bfloat, float, double, x86_fp80, fp128, ppc_fp128 } { half 0xH3C00, bfloat 0xR3F80, float 0x3FB99999A0000000, double 1.500000e+00, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000, ppc_fp128 0xM3FF00000000000000000000000000000 }
@wide = global i128 -170141183460469231731687303715884105728
@address = global ptr getelementptr inbounds (%struct.node, ptr @linked, i64 0, i32 1, i32 1, i64 2)
@ranged = global ptr getelementptr inbounds inrange(-16, 16) ({ [4 x ptr] }, ptr @linked, i32 0, i32 0, i32 2)
@number = global i64 add (i64 ptrtoint (ptr @linked to i64), i64 4)
@table = global [2 x ptr] [ptr blockaddress(@every, %done), ptr blockaddress(@every, %1)]
@equal = global ptr dso_local_equivalent @every
@vector = global <4 x i32> splat (i32 7)
@typed = global i8* bitcast ([4 x i8]* @0 to i8*)
@other = alias i32, ptr @"quoted \22name\22"
@chosen = ifunc void (), ptr @resolve

declare !dbg !3 ptr @resolve()
declare i32 @printf(ptr noundef readonly captures(none), ...) local_unnamed_addr #1
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @stop() noreturn nounwind
declare void @llvm.assume(i1)
declare i64 @llvm.read_register.i64(metadata)

; Function Attrs: nounwind
define dso_local fastcc noundef range(i32 0, 10) i32 @every(i32 noundef %0, ptr byval(%struct.node) align 8 %by, ptr noalias sret(%0) %out, double %d, <4 x i32> "odd"="yes" %v) unnamed_addr #0 comdat($shared) align 16 personality ptr @resolve !dbg !3 !prof !9 {
  br label %start, !llvm.loop !9

start:                                            ; preds = %1
  %i = phi i32 [ 0, %1 ], [ %next, %start ], !dbg !4
  %next = add nuw nsw i32 %i, 1, !dbg !4
  %2 = sub i32 %i, %0
  %3 = mul nsw i32 %2, -3
  %4 = udiv exact i32 %3, 2
  %5 = sdiv i32 %4, 2
  %6 = urem i32 %5, 2
  %7 = srem i32 %6, 2
  %8 = shl i32 %7, 1
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 1
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %14 = fneg fast double %d
  %15 = fadd nnan ninf double %14, 1.000000e+00
  %16 = fsub double %15, %d
  %17 = fmul double %16, %d
  %18 = fdiv double %17, %d
  %19 = frem double %18, %d
  %20 = icmp samesign ult i32 %13, 7
  %21 = fcmp olt double %19, %d
  %22 = zext nneg i32 %13 to i64
  %23 = trunc nuw i64 %22 to i8
  %24 = sext i8 %23 to i32
  %25 = uitofp nneg i32 %24 to float
  %26 = fpext float %25 to double
  %27 = fptosi double %26 to i32
  %28 = inttoptr i64 %22 to ptr
  %29 = ptrtoint ptr %28 to i64
  %30 = addrspacecast ptr %28 to ptr addrspace(256)
  %31 = getelementptr inbounds nuw %struct.node, ptr %by, i64 0, i32 1, i32 1, i64 %29, !dbg !4
  %32 = alloca %struct.node, align 8
  %33 = alloca i32, i64 %29, align 4, addrspace(5), !dbg !4
  %34 = load volatile i32, ptr @"quoted \22name\22", align 4, !tbaa !9
  %35 = load atomic volatile i32, ptr %31 syncscope("singlethread") acquire, align 4, !dbg !4
  store i32 %35, ptr %32, align 4
  store atomic i32 %35, ptr %32 release, align 4
  %36 = atomicrmw volatile xchg ptr %32, ptr null acq_rel, align 8
  %37 = atomicrmw nand ptr %32, i32 1 seq_cst, align 4
  %38 = atomicrmw uinc_wrap ptr %32, i32 1 monotonic
  %39 = atomicrmw fadd ptr %32, double 1.0 unordered
  %40 = cmpxchg weak volatile ptr %32, i32 0, i32 %next acq_rel monotonic, align 4, !dbg !4
  %41 = extractvalue { i32, i1 } %40, 1, !dbg !4
  %42 = insertvalue { i32, i1 } %40, i32 5, 0
  fence syncscope("singlethread") seq_cst
  fence acq_rel
  %43 = select i1 %41, i32 %37, i32 %38
  %44 = freeze i32 %43
  %45 = extractelement <4 x i32> %v, i64 2
  %46 = insertelement <4 x i32> %v, i32 %45, i32 0
  %47 = shufflevector <4 x i32> %v, <4 x i32> %46, <2 x i32> <i32 0, i32 poison>
  %48 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull align 1 dereferenceable(4) @0, i32 %45, double %26) #2, !dbg !4
  %49 = call i64 @llvm.read_register.i64(metadata !"rsp")
  call void @llvm.assume(i1 true) [ "align"(ptr %32, i64 8), "nonnull"(ptr %28) ]
  call void @llvm.dbg.value(metadata !DIArgList(i32 %44, i32 %45), metadata !5, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !4
  call void @llvm.dbg.value(metadata i32 undef, metadata !5, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 32)), !dbg !4
    #dbg_declare(ptr %32, !5, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref), !4)
    #dbg_value(!DIArgList(i32 %44), !5, !DIExpression(), !4)
    #dbg_assign(i32 7, !5, !DIExpression(), !9, ptr %32, !DIExpression(), !4)
    #dbg_label(!9, !4)
  %50 = call { i32, i32 } asm sideeffect inteldialect "xadd $0, $1", "=r,=*m,0,~{memory}"(i32 %44) #3
  %51 = va_arg ptr %32, i32
  switch i32 %51, label %start [
    i32 1, label %done
    i32 -7, label %jumps
  ], !dbg !4

jumps:
  indirectbr ptr blockaddress(@every, %done), [label %done, label %start]

done:                                             ; preds = %start
  br i1 %41, label %52, label %"odd label"

52:
  callbr void asm "jmp ${0:l}", "!i"() to label %53 [label %"odd label"]

53:
  %54 = invoke i32 %28(i32 1) to label %55 unwind label %pad

55:
  call void @stop() #1
  unreachable

pad:
  %56 = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @0]
  resume { ptr, i32 } %56

"odd label":
  ret i32 0

  uselistorder i32 %next, { 1, 0 }
}

uselistorder ptr @linked, { 2, 0, 1 }

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { noreturn nounwind }

!llvm.dbg.cu = !{!1}
!0 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "by hand", isOptimized: false, emissionKind: FullDebug, globals: !8, unknownField: !{!"x", i32 1}, other: DIFlagA | DIFlagB)
!2 = !DIFile(filename: "every.c", directory: ".")
!3 = distinct !DISubprogram(name: "every", scope: !2, file: !2, line: 10, type: !7, unit: !1)
!4 = !DILocation(line: 12, column: 3, scope: !10, inlinedAt: !11)
!5 = !DILocalVariable(name: "count", arg: 1, scope: !3, file: !2, line: 10, type: !12)
!6 = distinct !DIGlobalVariable(name: "quoted", scope: !1, file: !2, line: 3, type: !12)
!7 = !DISubroutineType(types: !13)
!8 = !{!0}
!9 = distinct !{!9, null, i64 7, ptr @linked, !"text"}
!10 = distinct !DILexicalBlock(scope: !3, file: !2, line: 11, column: 1)
!11 = distinct !DILocation(line: 20, column: 5, scope: !14)
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !{!12, null}
!14 = distinct !DISubprogram(name: "caller", scope: !2, file: !2, line: 18, type: !7, unit: !1)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 128, elements: !16)
!16 = !{!17}
!17 = !DISubrange(count: 4)
!18 = !DIEnumerator(name: "MINUS", value: -1)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "bits", baseType: !12, size: 3, offset: 5, flags: DIFlagBitField, extraData: i64 0)
!20 = !GenericDINode(tag: 5, header: "x", operands: {!1, null})

^0 = module: (path: "every.o", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "every") ; guid = 1
