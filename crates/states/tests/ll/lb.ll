; ModuleID = 'lb.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_attr_t = type { i64, [48 x i8] }

@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"b\00", align 1
@x = internal global [2 x i32] zeroinitializer, align 4

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i64, align 8
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  store i32 0, i32* %1, align 4
  store i64 0, i64* %3, align 8
  br label %6

6:                                                ; preds = %15, %0
  %7 = load i64, i64* %3, align 8
  %8 = icmp slt i64 %7, 2
  br i1 %8, label %9, label %18

9:                                                ; preds = %6
  %10 = load i64, i64* %3, align 8
  %11 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 %10
  %12 = load i64, i64* %3, align 8
  %13 = inttoptr i64 %12 to i8*
  %14 = call i32 @pthread_create(i64* noundef %11, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef %13)
  br label %15

15:                                               ; preds = %9
  %16 = load i64, i64* %3, align 8
  %17 = add nsw i64 %16, 1
  store i64 %17, i64* %3, align 8
  br label %6

18:                                               ; preds = %6
  %19 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 0
  %20 = load i64, i64* %19, align 16
  %21 = call i32 @pthread_join(i64 noundef %20, i8** noundef %4)
  %22 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 1
  %23 = load i64, i64* %22, align 8
  %24 = call i32 @pthread_join(i64 noundef %23, i8** noundef %5)
  %25 = load i8*, i8** %4, align 8
  %26 = ptrtoint i8* %25 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str, i64 0, i64 0), i64 noundef %26)
  %27 = load i8*, i8** %5, align 8
  %28 = ptrtoint i8* %27 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.1, i64 0, i64 0), i64 noundef %28)
  ret i32 0
}

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef)

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @worker(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  %7 = load i8*, i8** %2, align 8
  %8 = ptrtoint i8* %7 to i64
  store i64 %8, i64* %3, align 8
  %9 = load i64, i64* %3, align 8
  %10 = getelementptr inbounds [2 x i32], [2 x i32]* @x, i64 0, i64 %9
  %11 = load atomic i32, i32* %10 monotonic, align 4
  store i32 %11, i32* %5, align 4
  %12 = load i32, i32* %5, align 4
  %13 = sext i32 %12 to i64
  store i64 %13, i64* %4, align 8
  %14 = load i64, i64* %3, align 8
  %15 = sub nsw i64 1, %14
  %16 = getelementptr inbounds [2 x i32], [2 x i32]* @x, i64 0, i64 %15
  store i32 1, i32* %6, align 4
  %17 = load i32, i32* %6, align 4
  store atomic i32 %17, i32* %16 monotonic, align 4
  %18 = load i64, i64* %4, align 8
  %19 = add nsw i64 %18, 1
  %20 = inttoptr i64 %19 to i8*
  ret i8* %20
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

declare void @fp_observe(i8* noundef, i64 noundef)



