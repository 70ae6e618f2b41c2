; ModuleID = 'prelude.c'
source_filename = "prelude.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nounwind uwtable
define dso_local void @qsort(i8* noundef %base, i64 noundef %count, i64 noundef %size, i32 (i8*, i8*)* nocapture noundef readonly %compare) local_unnamed_addr #0 {
entry:
  %cmp28 = icmp ugt i64 %count, 1
  br i1 %cmp28, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %idx.neg = sub i64 0, %size
  %cmp12.not.i = icmp eq i64 %size, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %cleanup8
  %i.029 = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %inc, %cleanup8 ]
  br label %for.body4

for.cond.cleanup:                                 ; preds = %cleanup8, %entry
  ret void

for.body4:                                        ; preds = %for.cond1.preheader, %swap.exit
  %j.027 = phi i64 [ %dec, %swap.exit ], [ %i.029, %for.cond1.preheader ]
  %mul = mul i64 %j.027, %size
  %add.ptr = getelementptr inbounds i8, i8* %base, i64 %mul
  %add.ptr5 = getelementptr inbounds i8, i8* %add.ptr, i64 %idx.neg
  %call = call i32 %compare(i8* noundef %add.ptr5, i8* noundef %add.ptr) #2
  %cmp6 = icmp slt i32 %call, 1
  br i1 %cmp6, label %cleanup8, label %if.end

if.end:                                           ; preds = %for.body4
  br i1 %cmp12.not.i, label %swap.exit, label %for.body.i

for.body.i:                                       ; preds = %if.end, %for.body.i
  %i.013.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %if.end ]
  %arrayidx.i = getelementptr inbounds i8, i8* %add.ptr5, i64 %i.013.i
  %0 = load i8, i8* %arrayidx.i, align 1, !tbaa !5
  %arrayidx1.i = getelementptr inbounds i8, i8* %add.ptr, i64 %i.013.i
  %1 = load i8, i8* %arrayidx1.i, align 1, !tbaa !5
  store i8 %1, i8* %arrayidx.i, align 1, !tbaa !5
  store i8 %0, i8* %arrayidx1.i, align 1, !tbaa !5
  %inc.i = add nuw i64 %i.013.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %size
  br i1 %exitcond.not.i, label %swap.exit, label %for.body.i, !llvm.loop !8

swap.exit:                                        ; preds = %for.body.i, %if.end
  %dec = add i64 %j.027, -1
  %cmp2.not = icmp eq i64 %dec, 0
  br i1 %cmp2.not, label %cleanup8, label %for.body4, !llvm.loop !11

cleanup8:                                         ; preds = %swap.exit, %for.body4
  %inc = add nuw i64 %i.029, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !12
}

; Function Attrs: nounwind uwtable
define dso_local i8* @bsearch(i8* noundef %key, i8* noundef %base, i64 noundef %count, i64 noundef %size, i32 (i8*, i8*)* nocapture noundef readonly %compare) local_unnamed_addr #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %high.0 = phi i64 [ %count, %entry ], [ %high.2, %while.body ]
  %low.0 = phi i64 [ 0, %entry ], [ %low.2, %while.body ]
  %retval.0 = phi i8* [ undef, %entry ], [ %retval.1, %while.body ]
  %cmp = icmp ugt i64 %high.0, %low.0
  br i1 %cmp, label %while.body, label %cleanup8

while.body:                                       ; preds = %while.cond
  %sub = sub i64 %high.0, %low.0
  %div = lshr i64 %sub, 1
  %add = add i64 %div, %low.0
  %mul = mul i64 %add, %size
  %add.ptr = getelementptr inbounds i8, i8* %base, i64 %mul
  %call = call i32 %compare(i8* noundef %key, i8* noundef %add.ptr) #2
  %cmp1 = icmp eq i32 %call, 0
  %cmp2 = icmp slt i32 %call, 0
  %add4 = add i64 %add, 1
  %high.1 = select i1 %cmp2, i64 %add, i64 %high.0
  %high.2 = select i1 %cmp1, i64 %high.0, i64 %high.1
  %0 = icmp slt i32 %call, 1
  %low.2 = select i1 %0, i64 %low.0, i64 %add4
  %retval.1 = select i1 %cmp1, i8* %add.ptr, i8* %retval.0
  br i1 %cmp1, label %cleanup8, label %while.cond, !llvm.loop !13

cleanup8:                                         ; preds = %while.cond, %while.body
  %retval.2 = phi i8* [ %retval.1, %while.body ], [ null, %while.cond ]
  ret i8* %retval.2
}

; Function Attrs: nounwind uwtable
define dso_local i32 @pthread_once(i32* nocapture noundef %once, void ()* nocapture noundef readonly %function) local_unnamed_addr #0 {
entry:
  %0 = load atomic i32, i32* %once acquire, align 4
  %cmp = icmp eq i32 %0, 2
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %1 = cmpxchg i32* %once, i32 0, i32 1 acquire acquire, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %if.then1, label %while.cond

if.then1:                                         ; preds = %if.end
  call void %function() #2
  store atomic i32 2, i32* %once release, align 4
  br label %return

while.cond:                                       ; preds = %if.end, %while.cond
  %3 = load atomic i32, i32* %once acquire, align 4
  %cmp5.not = icmp eq i32 %3, 2
  br i1 %cmp5.not, label %return, label %while.cond, !llvm.loop !14

return:                                           ; preds = %while.cond, %if.then1, %entry
  ret i32 0
}

; Function Attrs: nounwind uwtable
define dso_local void @call_once(i32* nocapture noundef %once, void ()* nocapture noundef readonly %function) local_unnamed_addr #0 {
entry:
  %0 = load atomic i32, i32* %once acquire, align 4
  %cmp.i = icmp eq i32 %0, 2
  br i1 %cmp.i, label %pthread_once.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %1 = cmpxchg i32* %once, i32 0, i32 1 acquire acquire, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  br i1 %2, label %if.then1.i, label %while.cond.i

if.then1.i:                                       ; preds = %if.end.i
  call void %function() #2
  store atomic i32 2, i32* %once release, align 4
  br label %pthread_once.exit

while.cond.i:                                     ; preds = %if.end.i, %while.cond.i
  %3 = load atomic i32, i32* %once acquire, align 4
  %cmp5.not.i = icmp eq i32 %3, 2
  br i1 %cmp5.not.i, label %pthread_once.exit, label %while.cond.i, !llvm.loop !14

pthread_once.exit:                                ; preds = %while.cond.i, %entry, %if.then1.i
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i64 @div(i32 noundef %a, i32 noundef %b) local_unnamed_addr #1 {
entry:
  %div = sdiv i32 %a, %b
  %rem1 = srem i32 %a, %b
  %retval.sroa.2.0.insert.ext = zext i32 %rem1 to i64
  %retval.sroa.2.0.insert.shift = shl nuw i64 %retval.sroa.2.0.insert.ext, 32
  %retval.sroa.0.0.insert.ext = zext i32 %div to i64
  %retval.sroa.0.0.insert.insert = or i64 %retval.sroa.2.0.insert.shift, %retval.sroa.0.0.insert.ext
  ret i64 %retval.sroa.0.0.insert.insert
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local { i64, i64 } @ldiv(i64 noundef %a, i64 noundef %b) local_unnamed_addr #1 {
entry:
  %div = sdiv i64 %a, %b
  %rem1 = srem i64 %a, %b
  %.fca.0.insert = insertvalue { i64, i64 } poison, i64 %div, 0
  %.fca.1.insert = insertvalue { i64, i64 } %.fca.0.insert, i64 %rem1, 1
  ret { i64, i64 } %.fca.1.insert
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local { i64, i64 } @lldiv(i64 noundef %a, i64 noundef %b) local_unnamed_addr #1 {
entry:
  %div = sdiv i64 %a, %b
  %rem1 = srem i64 %a, %b
  %.fca.0.insert = insertvalue { i64, i64 } poison, i64 %div, 0
  %.fca.1.insert = insertvalue { i64, i64 } %.fca.0.insert, i64 %rem1, 1
  ret { i64, i64 } %.fca.1.insert
}

attributes #0 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nobuiltin nounwind "no-builtins" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{!"Debian clang version 14.0.6"}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = distinct !{!11, !9, !10}
!12 = distinct !{!12, !9, !10}
!13 = distinct !{!13, !9, !10}
!14 = distinct !{!14, !9, !10}
