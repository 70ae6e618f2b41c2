; ModuleID = 'prelude.c'
source_filename = "prelude.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.cleanup = type { void (i8*)*, i8*, %struct.cleanup* }
%struct.hazard = type { i8*, %struct.hazard* }
%struct.retired = type { i8*, %struct.retired* }

@exit_handlers = internal unnamed_addr global [32 x void ()*] zeroinitializer, align 16
@exit_count = internal global i32 0, align 4
@quick_exit_handlers = internal unnamed_addr global [32 x void ()*] zeroinitializer, align 16
@quick_exit_count = internal global i32 0, align 4
@cleanups = internal thread_local unnamed_addr global %struct.cleanup* null, align 8
@hazards = internal unnamed_addr global %struct.hazard* null, align 8
@all_retired = internal unnamed_addr global %struct.retired* null, align 8

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
  %call = call i32 %compare(i8* noundef %add.ptr5, i8* noundef %add.ptr) #7
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
  %call = call i32 %compare(i8* noundef %key, i8* noundef %add.ptr) #7
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
  call void %function() #7
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
define dso_local void @qsort_r(i8* noundef %base, i64 noundef %count, i64 noundef %size, i32 (i8*, i8*, i8*)* nocapture noundef readonly %compare, i8* noundef %argument) local_unnamed_addr #0 {
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
  %call = call i32 %compare(i8* noundef %add.ptr5, i8* noundef %add.ptr, i8* noundef %argument) #7
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
  br i1 %cmp2.not, label %cleanup8, label %for.body4, !llvm.loop !15

cleanup8:                                         ; preds = %swap.exit, %for.body4
  %inc = add nuw i64 %i.029, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !16
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
  call void %function() #7
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

; Function Attrs: nounwind uwtable
define dso_local i8* @reallocarray(i8* noundef %old, i64 noundef %count, i64 noundef %size) local_unnamed_addr #0 {
entry:
  %0 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %count, i64 %size)
  %1 = extractvalue { i64, i1 } %0, 1
  br i1 %1, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call i32* @__errno_location() #7
  store i32 12, i32* %call, align 4, !tbaa !17
  br label %cleanup

if.end:                                           ; preds = %entry
  %2 = extractvalue { i64, i1 } %0, 0
  %call1 = call i8* @realloc(i8* noundef %old, i64 noundef %2) #7
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi i8* [ null, %if.then ], [ %call1, %if.end ]
  ret i8* %retval.0
}

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #2

declare i32* @__errno_location() local_unnamed_addr #3

declare i8* @realloc(i8* noundef, i64 noundef) local_unnamed_addr #3

; Function Attrs: nounwind uwtable
define dso_local i32 @gettid() local_unnamed_addr #0 {
entry:
  %call = call i64 @pthread_self() #7
  %conv = trunc i64 %call to i32
  ret i32 %conv
}

declare i64 @pthread_self() local_unnamed_addr #3

; Function Attrs: nounwind uwtable
define dso_local i32 @atexit(void ()* noundef %handler) local_unnamed_addr #0 {
entry:
  %0 = atomicrmw add i32* @exit_count, i32 1 acq_rel, align 4
  %cmp.i = icmp ugt i32 %0, 31
  br i1 %cmp.i, label %if.then.i, label %add_handler.exit

if.then.i:                                        ; preds = %entry
  call void @abort() #8
  unreachable

add_handler.exit:                                 ; preds = %entry
  %idx.ext.i = zext i32 %0 to i64
  %add.ptr.i = getelementptr inbounds [32 x void ()*], [32 x void ()*]* @exit_handlers, i64 0, i64 %idx.ext.i
  %1 = bitcast void ()** %add.ptr.i to i64*
  %2 = ptrtoint void ()* %handler to i64
  store atomic i64 %2, i64* %1 release, align 8
  ret i32 0
}

; Function Attrs: nounwind uwtable
define dso_local i32 @at_quick_exit(void ()* noundef %handler) local_unnamed_addr #0 {
entry:
  %0 = atomicrmw add i32* @quick_exit_count, i32 1 acq_rel, align 4
  %cmp.i = icmp ugt i32 %0, 31
  br i1 %cmp.i, label %if.then.i, label %add_handler.exit

if.then.i:                                        ; preds = %entry
  call void @abort() #8
  unreachable

add_handler.exit:                                 ; preds = %entry
  %idx.ext.i = zext i32 %0 to i64
  %add.ptr.i = getelementptr inbounds [32 x void ()*], [32 x void ()*]* @quick_exit_handlers, i64 0, i64 %idx.ext.i
  %1 = bitcast void ()** %add.ptr.i to i64*
  %2 = ptrtoint void ()* %handler to i64
  store atomic i64 %2, i64* %1 release, align 8
  ret i32 0
}

; Function Attrs: nounwind uwtable
define dso_local void @__fencepost_exit() local_unnamed_addr #0 {
entry:
  %0 = load atomic i32, i32* @exit_count acquire, align 4
  %cmp.not6.i = icmp eq i32 %0, 0
  br i1 %cmp.not6.i, label %call_handlers.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %1 = phi i32 [ %5, %while.body.i ], [ %0, %entry ]
  %sub.i = add i32 %1, -1
  store atomic i32 %sub.i, i32* @exit_count release, align 4
  %idx.ext.i = zext i32 %1 to i64
  %add.ptr1.i = getelementptr inbounds void ()*, void ()** getelementptr inbounds ([32 x void ()*], [32 x void ()*]* @exit_handlers, i64 -1, i64 31), i64 %idx.ext.i
  %2 = bitcast void ()** %add.ptr1.i to i64*
  %3 = load atomic i64, i64* %2 acquire, align 8
  %4 = inttoptr i64 %3 to void ()*
  call void %4() #7
  %5 = load atomic i32, i32* @exit_count acquire, align 4
  %cmp.not.i = icmp eq i32 %5, 0
  br i1 %cmp.not.i, label %call_handlers.exit, label %while.body.i, !llvm.loop !19

call_handlers.exit:                               ; preds = %while.body.i, %entry
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @__fencepost_quick_exit() local_unnamed_addr #0 {
entry:
  %0 = load atomic i32, i32* @quick_exit_count acquire, align 4
  %cmp.not6.i = icmp eq i32 %0, 0
  br i1 %cmp.not6.i, label %call_handlers.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %1 = phi i32 [ %5, %while.body.i ], [ %0, %entry ]
  %sub.i = add i32 %1, -1
  store atomic i32 %sub.i, i32* @quick_exit_count release, align 4
  %idx.ext.i = zext i32 %1 to i64
  %add.ptr1.i = getelementptr inbounds void ()*, void ()** getelementptr inbounds ([32 x void ()*], [32 x void ()*]* @quick_exit_handlers, i64 -1, i64 31), i64 %idx.ext.i
  %2 = bitcast void ()** %add.ptr1.i to i64*
  %3 = load atomic i64, i64* %2 acquire, align 8
  %4 = inttoptr i64 %3 to void ()*
  call void %4() #7
  %5 = load atomic i32, i32* @quick_exit_count acquire, align 4
  %cmp.not.i = icmp eq i32 %5, 0
  br i1 %cmp.not.i, label %call_handlers.exit, label %while.body.i, !llvm.loop !19

call_handlers.exit:                               ; preds = %while.body.i, %entry
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind uwtable willreturn
define dso_local void @__fencepost_cleanup_push(%struct.cleanup* noundef %cleanup) local_unnamed_addr #4 {
entry:
  %0 = load %struct.cleanup*, %struct.cleanup** @cleanups, align 8, !tbaa !20
  %next = getelementptr inbounds %struct.cleanup, %struct.cleanup* %cleanup, i64 0, i32 2
  store %struct.cleanup* %0, %struct.cleanup** %next, align 8, !tbaa !22
  store %struct.cleanup* %cleanup, %struct.cleanup** @cleanups, align 8, !tbaa !20
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @__fencepost_cleanup_pop(%struct.cleanup* nocapture noundef readonly %cleanup, i32 noundef %run) local_unnamed_addr #0 {
entry:
  %next = getelementptr inbounds %struct.cleanup, %struct.cleanup* %cleanup, i64 0, i32 2
  %0 = load %struct.cleanup*, %struct.cleanup** %next, align 8, !tbaa !22
  store %struct.cleanup* %0, %struct.cleanup** @cleanups, align 8, !tbaa !20
  %tobool.not = icmp eq i32 %run, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %routine = getelementptr inbounds %struct.cleanup, %struct.cleanup* %cleanup, i64 0, i32 0
  %1 = load void (i8*)*, void (i8*)** %routine, align 8, !tbaa !24
  %argument = getelementptr inbounds %struct.cleanup, %struct.cleanup* %cleanup, i64 0, i32 1
  %2 = load i8*, i8** %argument, align 8, !tbaa !25
  call void %1(i8* noundef %2) #7
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @__fencepost_thread_exit() local_unnamed_addr #0 {
entry:
  %0 = load %struct.cleanup*, %struct.cleanup** @cleanups, align 8, !tbaa !20
  %tobool.not1 = icmp eq %struct.cleanup* %0, null
  br i1 %tobool.not1, label %while.end, label %while.body

while.body:                                       ; preds = %entry, %while.body
  %1 = phi %struct.cleanup* [ %5, %while.body ], [ %0, %entry ]
  %next.i = getelementptr inbounds %struct.cleanup, %struct.cleanup* %1, i64 0, i32 2
  %2 = load %struct.cleanup*, %struct.cleanup** %next.i, align 8, !tbaa !22
  store %struct.cleanup* %2, %struct.cleanup** @cleanups, align 8, !tbaa !20
  %routine.i = getelementptr inbounds %struct.cleanup, %struct.cleanup* %1, i64 0, i32 0
  %3 = load void (i8*)*, void (i8*)** %routine.i, align 8, !tbaa !24
  %argument.i = getelementptr inbounds %struct.cleanup, %struct.cleanup* %1, i64 0, i32 1
  %4 = load i8*, i8** %argument.i, align 8, !tbaa !25
  call void %3(i8* noundef %4) #7
  %5 = load %struct.cleanup*, %struct.cleanup** @cleanups, align 8, !tbaa !20
  %tobool.not = icmp eq %struct.cleanup* %5, null
  br i1 %tobool.not, label %while.end, label %while.body, !llvm.loop !26

while.end:                                        ; preds = %while.body, %entry
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_setaffinity_np(i64 noundef %thread, i64 noundef %size, i8* nocapture noundef readnone %set) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_attr_setaffinity_np(i8* nocapture noundef readnone %attributes, i64 noundef %size, i8* nocapture noundef readnone %set) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_setschedparam(i64 noundef %thread, i32 noundef %policy, i8* nocapture noundef readnone %parameters) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_setschedprio(i64 noundef %thread, i32 noundef %priority) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_attr_setschedparam(i8* nocapture noundef readnone %attributes, i8* nocapture noundef readnone %parameters) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_attr_setschedpolicy(i8* nocapture noundef readnone %attributes, i32 noundef %policy) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_attr_setstack(i8* nocapture noundef readnone %attributes, i8* nocapture noundef readnone %stack, i64 noundef %size) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @pthread_setconcurrency(i32 noundef %level) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @sched_setaffinity(i32 noundef %process, i64 noundef %size, i8* nocapture noundef readnone %set) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @sched_setscheduler(i32 noundef %process, i32 noundef %policy, i8* nocapture noundef readnone %parameters) local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local i32 @sched_getcpu() local_unnamed_addr #1 {
entry:
  ret i32 0
}

; Function Attrs: mustprogress nofree nosync nounwind readnone uwtable willreturn
define dso_local i32 @ffs(i32 noundef %word) local_unnamed_addr #5 {
entry:
  %0 = call i32 @llvm.cttz.i32(i32 %word, i1 true), !range !27
  %1 = add nuw nsw i32 %0, 1
  %iszero = icmp eq i32 %word, 0
  %ffs = select i1 %iszero, i32 0, i32 %1
  ret i32 %ffs
}

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.cttz.i32(i32, i1 immarg) #2

; Function Attrs: mustprogress nofree nosync nounwind readnone uwtable willreturn
define dso_local i32 @ffsl(i64 noundef %word) local_unnamed_addr #5 {
entry:
  %0 = call i64 @llvm.cttz.i64(i64 %word, i1 true), !range !28
  %iszero = icmp eq i64 %word, 0
  %1 = trunc i64 %0 to i32
  %2 = add nuw nsw i32 %1, 1
  %cast = select i1 %iszero, i32 0, i32 %2
  ret i32 %cast
}

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare i64 @llvm.cttz.i64(i64, i1 immarg) #2

; Function Attrs: mustprogress nofree nosync nounwind readnone uwtable willreturn
define dso_local i32 @ffsll(i64 noundef %word) local_unnamed_addr #5 {
entry:
  %0 = call i64 @llvm.cttz.i64(i64 %word, i1 true), !range !28
  %iszero = icmp eq i64 %word, 0
  %1 = trunc i64 %0 to i32
  %2 = add nuw nsw i32 %1, 1
  %cast = select i1 %iszero, i32 0, i32 %2
  ret i32 %cast
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local void @__VERIFIER_loop_begin() local_unnamed_addr #1 {
entry:
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local void @__VERIFIER_loop_bound(i32 noundef %bound) local_unnamed_addr #1 {
entry:
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local void @__VERIFIER_spin_start() local_unnamed_addr #1 {
entry:
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local void @__VERIFIER_spin_end(i32 noundef %ends) local_unnamed_addr #1 {
entry:
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local void @__VERIFIER_annotate_begin(i32 noundef %kind) local_unnamed_addr #1 {
entry:
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local void @__VERIFIER_annotate_end(i32 noundef %kind) local_unnamed_addr #1 {
entry:
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local zeroext i1 @__VERIFIER_opt_begin() local_unnamed_addr #1 {
entry:
  ret i1 true
}

; Function Attrs: nounwind uwtable
define dso_local void @__VERIFIER_assert(i32 noundef %condition) local_unnamed_addr #0 {
entry:
  %tobool.not = icmp eq i32 %condition, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @abort() #8
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

; Function Attrs: noreturn
declare void @abort() local_unnamed_addr #6

; Function Attrs: nounwind uwtable
define dso_local %struct.hazard* @__VERIFIER_hazptr_alloc() local_unnamed_addr #0 {
entry:
  %call = call i8* @calloc(i64 noundef 1, i64 noundef 16) #7
  %0 = bitcast i8* %call to %struct.hazard*
  call void @fp_atomic_begin() #7
  %1 = load %struct.hazard*, %struct.hazard** @hazards, align 8, !tbaa !20
  %next = getelementptr inbounds i8, i8* %call, i64 8
  %2 = bitcast i8* %next to %struct.hazard**
  store %struct.hazard* %1, %struct.hazard** %2, align 8, !tbaa !29
  store i8* %call, i8** bitcast (%struct.hazard** @hazards to i8**), align 8, !tbaa !20
  call void @fp_atomic_end() #7
  ret %struct.hazard* %0
}

declare i8* @calloc(i64 noundef, i64 noundef) local_unnamed_addr #3

declare void @fp_atomic_begin() local_unnamed_addr #3

declare void @fp_atomic_end() local_unnamed_addr #3

; Function Attrs: nounwind uwtable
define dso_local void @__VERIFIER_hazptr_protect(%struct.hazard* nocapture noundef writeonly %hazard, i8* noundef %object) local_unnamed_addr #0 {
entry:
  call void @fp_atomic_begin() #7
  %protects1.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard, i64 0, i32 0
  store i8* %object, i8** %protects1.i, align 8, !tbaa !31
  %0 = load %struct.retired*, %struct.retired** @all_retired, align 8, !tbaa !20
  %tobool.not17.i = icmp eq %struct.retired* %0, null
  br i1 %tobool.not17.i, label %let_go.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %cleanup.i
  %1 = phi %struct.retired* [ %8, %cleanup.i ], [ %0, %entry ]
  %at.018.i = phi %struct.retired** [ %at.1.i, %cleanup.i ], [ @all_retired, %entry ]
  %object.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 0
  %2 = load i8*, i8** %object.i, align 8, !tbaa !32
  %hazard.04.i.i = load %struct.hazard*, %struct.hazard** @hazards, align 8, !tbaa !20
  %tobool.not5.i.i = icmp eq %struct.hazard* %hazard.04.i.i, null
  br i1 %tobool.not5.i.i, label %is_protected.exit.i, label %for.body.i.preheader.i

for.body.i.preheader.i:                           ; preds = %while.body.i
  %protects.i13.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.04.i.i, i64 0, i32 0
  %3 = load i8*, i8** %protects.i13.i, align 8, !tbaa !31
  %cmp.i14.i = icmp eq i8* %3, %2
  br i1 %cmp.i14.i, label %if.then.i, label %for.cond.i.i

for.cond.i.i:                                     ; preds = %for.body.i.preheader.i, %for.body.i.i
  %hazard.06.i15.i = phi %struct.hazard* [ %hazard.0.i.i, %for.body.i.i ], [ %hazard.04.i.i, %for.body.i.preheader.i ]
  %next.i.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.06.i15.i, i64 0, i32 1
  %hazard.0.i.i = load %struct.hazard*, %struct.hazard** %next.i.i, align 8, !tbaa !20
  %tobool.not.i.i = icmp eq %struct.hazard* %hazard.0.i.i, null
  br i1 %tobool.not.i.i, label %is_protected.exit.i, label %for.body.i.i, !llvm.loop !34

for.body.i.i:                                     ; preds = %for.cond.i.i
  %protects.i.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.0.i.i, i64 0, i32 0
  %4 = load i8*, i8** %protects.i.i, align 8, !tbaa !31
  %cmp.i.i = icmp eq i8* %4, %2
  br i1 %cmp.i.i, label %if.then.i, label %for.cond.i.i, !llvm.loop !34

is_protected.exit.i:                              ; preds = %for.cond.i.i, %while.body.i
  %tobool.not.lcssa.i.i = phi i1 [ %tobool.not5.i.i, %while.body.i ], [ %tobool.not.i.i, %for.cond.i.i ]
  br i1 %tobool.not.lcssa.i.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %for.body.i.i, %for.body.i.preheader.i, %is_protected.exit.i
  %next.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 1
  br label %cleanup.i, !llvm.loop !35

if.end.i:                                         ; preds = %is_protected.exit.i
  %next3.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 1
  %5 = load %struct.retired*, %struct.retired** %next3.i, align 8, !tbaa !36
  store %struct.retired* %5, %struct.retired** %at.018.i, align 8, !tbaa !20
  %6 = load i8*, i8** %object.i, align 8, !tbaa !32
  call void @free(i8* noundef %6) #7
  %7 = bitcast %struct.retired* %1 to i8*
  call void @free(i8* noundef nonnull %7) #7
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.end.i, %if.then.i
  %at.1.i = phi %struct.retired** [ %next.i, %if.then.i ], [ %at.018.i, %if.end.i ]
  %8 = load %struct.retired*, %struct.retired** %at.1.i, align 8, !tbaa !20
  %tobool.not.i = icmp eq %struct.retired* %8, null
  br i1 %tobool.not.i, label %let_go.exit, label %while.body.i

let_go.exit:                                      ; preds = %cleanup.i, %entry
  call void @fp_atomic_end() #7
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @__VERIFIER_hazptr_clear(%struct.hazard* nocapture noundef writeonly %hazard) local_unnamed_addr #0 {
entry:
  call void @fp_atomic_begin() #7
  %protects1.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard, i64 0, i32 0
  store i8* null, i8** %protects1.i, align 8, !tbaa !31
  %0 = load %struct.retired*, %struct.retired** @all_retired, align 8, !tbaa !20
  %tobool.not17.i = icmp eq %struct.retired* %0, null
  br i1 %tobool.not17.i, label %let_go.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %cleanup.i
  %1 = phi %struct.retired* [ %8, %cleanup.i ], [ %0, %entry ]
  %at.018.i = phi %struct.retired** [ %at.1.i, %cleanup.i ], [ @all_retired, %entry ]
  %object.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 0
  %2 = load i8*, i8** %object.i, align 8, !tbaa !32
  %hazard.04.i.i = load %struct.hazard*, %struct.hazard** @hazards, align 8, !tbaa !20
  %tobool.not5.i.i = icmp eq %struct.hazard* %hazard.04.i.i, null
  br i1 %tobool.not5.i.i, label %is_protected.exit.i, label %for.body.i.preheader.i

for.body.i.preheader.i:                           ; preds = %while.body.i
  %protects.i13.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.04.i.i, i64 0, i32 0
  %3 = load i8*, i8** %protects.i13.i, align 8, !tbaa !31
  %cmp.i14.i = icmp eq i8* %3, %2
  br i1 %cmp.i14.i, label %if.then.i, label %for.cond.i.i

for.cond.i.i:                                     ; preds = %for.body.i.preheader.i, %for.body.i.i
  %hazard.06.i15.i = phi %struct.hazard* [ %hazard.0.i.i, %for.body.i.i ], [ %hazard.04.i.i, %for.body.i.preheader.i ]
  %next.i.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.06.i15.i, i64 0, i32 1
  %hazard.0.i.i = load %struct.hazard*, %struct.hazard** %next.i.i, align 8, !tbaa !20
  %tobool.not.i.i = icmp eq %struct.hazard* %hazard.0.i.i, null
  br i1 %tobool.not.i.i, label %is_protected.exit.i, label %for.body.i.i, !llvm.loop !34

for.body.i.i:                                     ; preds = %for.cond.i.i
  %protects.i.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.0.i.i, i64 0, i32 0
  %4 = load i8*, i8** %protects.i.i, align 8, !tbaa !31
  %cmp.i.i = icmp eq i8* %4, %2
  br i1 %cmp.i.i, label %if.then.i, label %for.cond.i.i, !llvm.loop !34

is_protected.exit.i:                              ; preds = %for.cond.i.i, %while.body.i
  %tobool.not.lcssa.i.i = phi i1 [ %tobool.not5.i.i, %while.body.i ], [ %tobool.not.i.i, %for.cond.i.i ]
  br i1 %tobool.not.lcssa.i.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %for.body.i.i, %for.body.i.preheader.i, %is_protected.exit.i
  %next.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 1
  br label %cleanup.i, !llvm.loop !35

if.end.i:                                         ; preds = %is_protected.exit.i
  %next3.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 1
  %5 = load %struct.retired*, %struct.retired** %next3.i, align 8, !tbaa !36
  store %struct.retired* %5, %struct.retired** %at.018.i, align 8, !tbaa !20
  %6 = load i8*, i8** %object.i, align 8, !tbaa !32
  call void @free(i8* noundef %6) #7
  %7 = bitcast %struct.retired* %1 to i8*
  call void @free(i8* noundef nonnull %7) #7
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.end.i, %if.then.i
  %at.1.i = phi %struct.retired** [ %next.i, %if.then.i ], [ %at.018.i, %if.end.i ]
  %8 = load %struct.retired*, %struct.retired** %at.1.i, align 8, !tbaa !20
  %tobool.not.i = icmp eq %struct.retired* %8, null
  br i1 %tobool.not.i, label %let_go.exit, label %while.body.i

let_go.exit:                                      ; preds = %cleanup.i, %entry
  call void @fp_atomic_end() #7
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @__VERIFIER_hazptr_free(%struct.hazard* noundef %hazard) local_unnamed_addr #0 {
entry:
  call void @fp_atomic_begin() #7
  %protects1.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard, i64 0, i32 0
  store i8* null, i8** %protects1.i, align 8, !tbaa !31
  %0 = load %struct.retired*, %struct.retired** @all_retired, align 8, !tbaa !20
  %tobool.not17.i = icmp eq %struct.retired* %0, null
  br i1 %tobool.not17.i, label %let_go.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %cleanup.i
  %1 = phi %struct.retired* [ %8, %cleanup.i ], [ %0, %entry ]
  %at.018.i = phi %struct.retired** [ %at.1.i, %cleanup.i ], [ @all_retired, %entry ]
  %object.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 0
  %2 = load i8*, i8** %object.i, align 8, !tbaa !32
  %hazard.04.i.i = load %struct.hazard*, %struct.hazard** @hazards, align 8, !tbaa !20
  %tobool.not5.i.i = icmp eq %struct.hazard* %hazard.04.i.i, null
  br i1 %tobool.not5.i.i, label %is_protected.exit.i, label %for.body.i.preheader.i

for.body.i.preheader.i:                           ; preds = %while.body.i
  %protects.i13.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.04.i.i, i64 0, i32 0
  %3 = load i8*, i8** %protects.i13.i, align 8, !tbaa !31
  %cmp.i14.i = icmp eq i8* %3, %2
  br i1 %cmp.i14.i, label %if.then.i, label %for.cond.i.i

for.cond.i.i:                                     ; preds = %for.body.i.preheader.i, %for.body.i.i
  %hazard.06.i15.i = phi %struct.hazard* [ %hazard.0.i.i, %for.body.i.i ], [ %hazard.04.i.i, %for.body.i.preheader.i ]
  %next.i.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.06.i15.i, i64 0, i32 1
  %hazard.0.i.i = load %struct.hazard*, %struct.hazard** %next.i.i, align 8, !tbaa !20
  %tobool.not.i.i = icmp eq %struct.hazard* %hazard.0.i.i, null
  br i1 %tobool.not.i.i, label %is_protected.exit.i, label %for.body.i.i, !llvm.loop !34

for.body.i.i:                                     ; preds = %for.cond.i.i
  %protects.i.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.0.i.i, i64 0, i32 0
  %4 = load i8*, i8** %protects.i.i, align 8, !tbaa !31
  %cmp.i.i = icmp eq i8* %4, %2
  br i1 %cmp.i.i, label %if.then.i, label %for.cond.i.i, !llvm.loop !34

is_protected.exit.i:                              ; preds = %for.cond.i.i, %while.body.i
  %tobool.not.lcssa.i.i = phi i1 [ %tobool.not5.i.i, %while.body.i ], [ %tobool.not.i.i, %for.cond.i.i ]
  br i1 %tobool.not.lcssa.i.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %for.body.i.i, %for.body.i.preheader.i, %is_protected.exit.i
  %next.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 1
  br label %cleanup.i, !llvm.loop !35

if.end.i:                                         ; preds = %is_protected.exit.i
  %next3.i = getelementptr inbounds %struct.retired, %struct.retired* %1, i64 0, i32 1
  %5 = load %struct.retired*, %struct.retired** %next3.i, align 8, !tbaa !36
  store %struct.retired* %5, %struct.retired** %at.018.i, align 8, !tbaa !20
  %6 = load i8*, i8** %object.i, align 8, !tbaa !32
  call void @free(i8* noundef %6) #7
  %7 = bitcast %struct.retired* %1 to i8*
  call void @free(i8* noundef nonnull %7) #7
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.end.i, %if.then.i
  %at.1.i = phi %struct.retired** [ %next.i, %if.then.i ], [ %at.018.i, %if.end.i ]
  %8 = load %struct.retired*, %struct.retired** %at.1.i, align 8, !tbaa !20
  %tobool.not.i = icmp eq %struct.retired* %8, null
  br i1 %tobool.not.i, label %let_go.exit, label %while.body.i

let_go.exit:                                      ; preds = %cleanup.i, %entry
  call void @fp_atomic_end() #7
  call void @fp_atomic_begin() #7
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %let_go.exit
  %at.0 = phi %struct.hazard** [ @hazards, %let_go.exit ], [ %next, %while.cond ]
  %9 = load %struct.hazard*, %struct.hazard** %at.0, align 8, !tbaa !20
  %tobool.not = icmp eq %struct.hazard* %9, null
  %cmp.not = icmp eq %struct.hazard* %9, %hazard
  %or.cond = or i1 %tobool.not, %cmp.not
  %next = getelementptr inbounds %struct.hazard, %struct.hazard* %9, i64 0, i32 1
  br i1 %or.cond, label %while.end, label %while.cond, !llvm.loop !37

while.end:                                        ; preds = %while.cond
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %while.end
  %next2 = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard, i64 0, i32 1
  %10 = load %struct.hazard*, %struct.hazard** %next2, align 8, !tbaa !29
  store %struct.hazard* %10, %struct.hazard** %at.0, align 8, !tbaa !20
  br label %if.end

if.end:                                           ; preds = %if.then, %while.end
  call void @fp_atomic_end() #7
  %11 = bitcast %struct.hazard* %hazard to i8*
  call void @free(i8* noundef %11) #7
  ret void
}

declare void @free(i8* noundef) local_unnamed_addr #3

; Function Attrs: nounwind uwtable
define dso_local void @__VERIFIER_hazptr_retire(i8* noundef %object) local_unnamed_addr #0 {
entry:
  %call = call i8* @malloc(i64 noundef 16) #7
  %object1 = bitcast i8* %call to i8**
  store i8* %object, i8** %object1, align 8, !tbaa !32
  call void @fp_atomic_begin() #7
  %hazard.04.i = load %struct.hazard*, %struct.hazard** @hazards, align 8, !tbaa !20
  %tobool.not5.i = icmp eq %struct.hazard* %hazard.04.i, null
  br i1 %tobool.not5.i, label %is_protected.exit, label %for.body.i.preheader

for.body.i.preheader:                             ; preds = %entry
  %protects.i9 = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.04.i, i64 0, i32 0
  %0 = load i8*, i8** %protects.i9, align 8, !tbaa !31
  %cmp.i10 = icmp eq i8* %0, %object
  br i1 %cmp.i10, label %is_protected.exit, label %for.cond.i

for.cond.i:                                       ; preds = %for.body.i.preheader, %for.body.i
  %hazard.06.i11 = phi %struct.hazard* [ %hazard.0.i, %for.body.i ], [ %hazard.04.i, %for.body.i.preheader ]
  %next.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.06.i11, i64 0, i32 1
  %hazard.0.i = load %struct.hazard*, %struct.hazard** %next.i, align 8, !tbaa !20
  %tobool.not.i = icmp eq %struct.hazard* %hazard.0.i, null
  br i1 %tobool.not.i, label %is_protected.exit, label %for.body.i, !llvm.loop !34

for.body.i:                                       ; preds = %for.cond.i
  %protects.i = getelementptr inbounds %struct.hazard, %struct.hazard* %hazard.0.i, i64 0, i32 0
  %1 = load i8*, i8** %protects.i, align 8, !tbaa !31
  %cmp.i = icmp eq i8* %1, %object
  br i1 %cmp.i, label %is_protected.exit, label %for.cond.i, !llvm.loop !34

is_protected.exit:                                ; preds = %for.body.i, %for.cond.i, %for.body.i.preheader, %entry
  %tobool.not.lcssa.i = phi i1 [ %tobool.not5.i, %entry ], [ %tobool.not5.i, %for.body.i.preheader ], [ %tobool.not.i, %for.cond.i ], [ %tobool.not.i, %for.body.i ]
  br i1 %tobool.not.lcssa.i, label %if.else, label %if.then

if.then:                                          ; preds = %is_protected.exit
  %2 = load %struct.retired*, %struct.retired** @all_retired, align 8, !tbaa !20
  %next = getelementptr inbounds i8, i8* %call, i64 8
  %3 = bitcast i8* %next to %struct.retired**
  store %struct.retired* %2, %struct.retired** %3, align 8, !tbaa !36
  store i8* %call, i8** bitcast (%struct.retired** @all_retired to i8**), align 8, !tbaa !20
  br label %if.end

if.else:                                          ; preds = %is_protected.exit
  call void @free(i8* noundef %object) #7
  call void @free(i8* noundef %call) #7
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  call void @fp_atomic_end() #7
  ret void
}

declare i8* @malloc(i64 noundef) local_unnamed_addr #3

attributes #0 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { "frame-pointer"="none" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nofree nosync nounwind readnone uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { noreturn "frame-pointer"="none" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nobuiltin nounwind "no-builtins" }
attributes #8 = { nobuiltin noreturn nounwind "no-builtins" }

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
!15 = distinct !{!15, !9, !10}
!16 = distinct !{!16, !9, !10}
!17 = !{!18, !18, i64 0}
!18 = !{!"int", !6, i64 0}
!19 = distinct !{!19, !9, !10}
!20 = !{!21, !21, i64 0}
!21 = !{!"any pointer", !6, i64 0}
!22 = !{!23, !21, i64 16}
!23 = !{!"cleanup", !21, i64 0, !21, i64 8, !21, i64 16}
!24 = !{!23, !21, i64 0}
!25 = !{!23, !21, i64 8}
!26 = distinct !{!26, !9, !10}
!27 = !{i32 0, i32 33}
!28 = !{i64 0, i64 65}
!29 = !{!30, !21, i64 8}
!30 = !{!"hazard", !21, i64 0, !21, i64 8}
!31 = !{!30, !21, i64 0}
!32 = !{!33, !21, i64 0}
!33 = !{!"retired", !21, i64 0, !21, i64 8}
!34 = distinct !{!34, !9, !10}
!35 = distinct !{!35, !9, !10}
!36 = !{!33, !21, i64 8}
!37 = distinct !{!37, !9, !10}
