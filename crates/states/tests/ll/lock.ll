; ModuleID = 'lock.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { %struct.__pthread_internal_list*, %struct.__pthread_internal_list* }
%union.pthread_attr_t = type { i64, [48 x i8] }

@shared = internal global i32 0, align 4
@.str = private unnamed_addr constant [7 x i8] c"shared\00", align 1
@.str.1 = private unnamed_addr constant [12 x i8] c"shared == 3\00", align 1
@.str.2 = private unnamed_addr constant [7 x i8] c"lock.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@mutex = internal global %union.pthread_mutex_t zeroinitializer, align 8
@tries = internal global i32 0, align 4
@.str.3 = private unnamed_addr constant [7 x i8] c"second\00", align 1
@.str.4 = private unnamed_addr constant [6 x i8] c"first\00", align 1
@.str.5 = private unnamed_addr constant [2 x i8] c"0\00", align 1
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  store i32 0, i32* %1, align 4
  %4 = call i32 @pthread_create(i64* noundef %2, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef null)
  %5 = call i32 @pthread_create(i64* noundef %3, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef bitcast (i32* @shared to i8*))
  %6 = load i64, i64* %2, align 8
  %7 = call i32 @pthread_join(i64 noundef %6, i8** noundef null)
  %8 = load i64, i64* %3, align 8
  %9 = call i32 @pthread_join(i64 noundef %8, i8** noundef null)
  %10 = load i32, i32* @shared, align 4
  %11 = sext i32 %10 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str, i64 0, i64 0), i64 noundef %11)
  %12 = load i32, i32* @shared, align 4
  %13 = icmp eq i32 %12, 3
  br i1 %13, label %14, label %15

14:                                               ; preds = %0
  br label %16

15:                                               ; preds = %0
  call void @__assert_fail(i8* noundef getelementptr inbounds ([12 x i8], [12 x i8]* @.str.1, i64 0, i64 0), i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str.2, i64 0, i64 0), i32 noundef 36, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0))
  unreachable

16:                                               ; preds = %14
  ret i32 0
}

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef)

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @worker(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca i32 ()*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i8, align 1
  store i8* %0, i8** %2, align 8
  %8 = load i8*, i8** %2, align 8
  %9 = icmp ne i8* %8, null
  %10 = zext i1 %9 to i64
  %11 = select i1 %9, i32 ()* @two, i32 ()* @one
  store i32 ()* %11, i32 ()** %3, align 8
  %12 = call i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef @mutex)
  %13 = load i32 ()*, i32 ()** %3, align 8
  %14 = call i32 %13()
  %15 = load i32, i32* @shared, align 4
  %16 = add nsw i32 %15, %14
  store i32 %16, i32* @shared, align 4
  %17 = call i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef @mutex)
  %18 = load atomic i32, i32* @tries monotonic, align 4
  store i32 %18, i32* %5, align 4
  %19 = load i32, i32* %5, align 4
  store i32 %19, i32* %4, align 4
  br label %20

20:                                               ; preds = %34, %1
  %21 = load i32, i32* %4, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, i32* %6, align 4
  %23 = load i32, i32* %4, align 4
  %24 = load i32, i32* %6, align 4
  %25 = cmpxchg weak i32* @tries, i32 %23, i32 %24 monotonic monotonic, align 4
  %26 = extractvalue { i32, i1 } %25, 0
  %27 = extractvalue { i32, i1 } %25, 1
  br i1 %27, label %29, label %28

28:                                               ; preds = %20
  store i32 %26, i32* %4, align 4
  br label %29

29:                                               ; preds = %28, %20
  %30 = zext i1 %27 to i8
  store i8 %30, i8* %7, align 1
  %31 = load i8, i8* %7, align 1
  %32 = trunc i8 %31 to i1
  %33 = xor i1 %32, true
  br i1 %33, label %34, label %35

34:                                               ; preds = %29
  br label %20

35:                                               ; preds = %29
  %36 = load i32, i32* %4, align 4
  switch i32 %36, label %49 [
    i32 0, label %37
    i32 1, label %43
  ]

37:                                               ; preds = %35
  %38 = load i8*, i8** %2, align 8
  %39 = icmp ne i8* %38, null
  br i1 %39, label %40, label %41

40:                                               ; preds = %37
  call void @fp_observe(i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str.3, i64 0, i64 0), i64 noundef 10)
  br label %42

41:                                               ; preds = %37
  call void @fp_observe(i8* noundef getelementptr inbounds ([6 x i8], [6 x i8]* @.str.4, i64 0, i64 0), i64 noundef 10)
  br label %42

42:                                               ; preds = %41, %40
  br label %50

43:                                               ; preds = %35
  %44 = load i8*, i8** %2, align 8
  %45 = icmp ne i8* %44, null
  br i1 %45, label %46, label %47

46:                                               ; preds = %43
  call void @fp_observe(i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str.3, i64 0, i64 0), i64 noundef 11)
  br label %48

47:                                               ; preds = %43
  call void @fp_observe(i8* noundef getelementptr inbounds ([6 x i8], [6 x i8]* @.str.4, i64 0, i64 0), i64 noundef 11)
  br label %48

48:                                               ; preds = %47, %46
  br label %50

49:                                               ; preds = %35
  call void @__assert_fail(i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.5, i64 0, i64 0), i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str.2, i64 0, i64 0), i32 noundef 25, i8* noundef getelementptr inbounds ([21 x i8], [21 x i8]* @__PRETTY_FUNCTION__.worker, i64 0, i64 0))
  unreachable

50:                                               ; preds = %48, %42
  ret i8* null
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

declare void @fp_observe(i8* noundef, i64 noundef)

; Function Attrs: noreturn nounwind
declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef)

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @two() {
  ret i32 2
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @one() {
  ret i32 1
}

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef)

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef)



