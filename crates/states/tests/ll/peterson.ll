; ModuleID = 'peterson.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_attr_t = type { i64, [48 x i8] }

@names = internal global [2 x i32] [i32 0, i32 1], align 4
@.str = private unnamed_addr constant [8 x i8] c"counter\00", align 1
@counter = internal global i32 0, align 4
@flag = internal global [2 x i32] zeroinitializer, align 4
@turn = internal global i32 0, align 4

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  store i32 0, i32* %1, align 4
  %5 = call i32 @pthread_create(i64* noundef %2, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef bitcast ([2 x i32]* @names to i8*))
  %6 = call i32 @pthread_create(i64* noundef %3, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef bitcast (i32* getelementptr inbounds ([2 x i32], [2 x i32]* @names, i64 0, i64 1) to i8*))
  %7 = load i64, i64* %2, align 8
  %8 = call i32 @pthread_join(i64 noundef %7, i8** noundef null)
  %9 = load i64, i64* %3, align 8
  %10 = call i32 @pthread_join(i64 noundef %9, i8** noundef null)
  %11 = load atomic i32, i32* @counter monotonic, align 4
  store i32 %11, i32* %4, align 4
  %12 = load i32, i32* %4, align 4
  %13 = sext i32 %12 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([8 x i8], [8 x i8]* @.str, i64 0, i64 0), i64 noundef %13)
  ret i32 0
}

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef)

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @worker(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  %11 = load i8*, i8** %2, align 8
  %12 = bitcast i8* %11 to i32*
  %13 = load i32, i32* %12, align 4
  store i32 %13, i32* %3, align 4
  %14 = load i32, i32* %3, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [2 x i32], [2 x i32]* @flag, i64 0, i64 %15
  store i32 1, i32* %4, align 4
  %17 = load i32, i32* %4, align 4
  store atomic i32 %17, i32* %16 monotonic, align 4
  %18 = load i32, i32* %3, align 4
  %19 = sub nsw i32 1, %18
  store i32 %19, i32* %5, align 4
  %20 = load i32, i32* %5, align 4
  store atomic i32 %20, i32* @turn monotonic, align 4
  br label %21

21:                                               ; preds = %37, %1
  %22 = load i32, i32* %3, align 4
  %23 = sub nsw i32 1, %22
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [2 x i32], [2 x i32]* @flag, i64 0, i64 %24
  %26 = load atomic i32, i32* %25 monotonic, align 4
  store i32 %26, i32* %6, align 4
  %27 = load i32, i32* %6, align 4
  %28 = icmp ne i32 %27, 0
  br i1 %28, label %29, label %35

29:                                               ; preds = %21
  %30 = load atomic i32, i32* @turn monotonic, align 4
  store i32 %30, i32* %7, align 4
  %31 = load i32, i32* %7, align 4
  %32 = load i32, i32* %3, align 4
  %33 = sub nsw i32 1, %32
  %34 = icmp eq i32 %31, %33
  br label %35

35:                                               ; preds = %29, %21
  %36 = phi i1 [ false, %21 ], [ %34, %29 ]
  br i1 %36, label %37, label %38

37:                                               ; preds = %35
  br label %21

38:                                               ; preds = %35
  %39 = load atomic i32, i32* @counter monotonic, align 4
  store i32 %39, i32* %9, align 4
  %40 = load i32, i32* %9, align 4
  %41 = add nsw i32 %40, 1
  store i32 %41, i32* %8, align 4
  %42 = load i32, i32* %8, align 4
  store atomic i32 %42, i32* @counter monotonic, align 4
  %43 = load i32, i32* %3, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [2 x i32], [2 x i32]* @flag, i64 0, i64 %44
  store i32 0, i32* %10, align 4
  %46 = load i32, i32* %10, align 4
  store atomic i32 %46, i32* %45 release, align 4
  ret i8* null
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

declare void @fp_observe(i8* noundef, i64 noundef)



