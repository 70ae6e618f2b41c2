; ModuleID = 'dekker.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_attr_t = type { i64, [48 x i8] }

@names = internal global [2 x i32] [i32 0, i32 1], align 4
@flag = internal global [2 x i32] zeroinitializer, align 4
@inside = internal global i32 0, align 4
@.str = private unnamed_addr constant [18 x i8] c"LOAD(inside) == 0\00", align 1
@.str.1 = private unnamed_addr constant [9 x i8] c"dekker.c\00", align 1
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  store i32 0, i32* %1, align 4
  %4 = call i32 @pthread_create(i64* noundef %2, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef bitcast ([2 x i32]* @names to i8*))
  %5 = call i32 @pthread_create(i64* noundef %3, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef bitcast (i32* getelementptr inbounds ([2 x i32], [2 x i32]* @names, i64 0, i64 1) to i8*))
  %6 = load i64, i64* %2, align 8
  %7 = call i32 @pthread_join(i64 noundef %6, i8** noundef null)
  %8 = load i64, i64* %3, align 8
  %9 = call i32 @pthread_join(i64 noundef %8, i8** noundef null)
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
  store i8* %0, i8** %2, align 8
  %9 = load i8*, i8** %2, align 8
  %10 = bitcast i8* %9 to i32*
  %11 = load i32, i32* %10, align 4
  store i32 %11, i32* %3, align 4
  %12 = load i32, i32* %3, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [2 x i32], [2 x i32]* @flag, i64 0, i64 %13
  store i32 1, i32* %4, align 4
  %15 = load i32, i32* %4, align 4
  store atomic i32 %15, i32* %14 monotonic, align 4
  fence seq_cst
  %16 = load i32, i32* %3, align 4
  %17 = sub nsw i32 1, %16
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [2 x i32], [2 x i32]* @flag, i64 0, i64 %18
  %20 = load atomic i32, i32* %19 monotonic, align 4
  store i32 %20, i32* %5, align 4
  %21 = load i32, i32* %5, align 4
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %23, label %32

23:                                               ; preds = %1
  %24 = load atomic i32, i32* @inside monotonic, align 4
  store i32 %24, i32* %6, align 4
  %25 = load i32, i32* %6, align 4
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %27, label %28

27:                                               ; preds = %23
  br label %29

28:                                               ; preds = %23
  call void @__assert_fail(i8* noundef getelementptr inbounds ([18 x i8], [18 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([9 x i8], [9 x i8]* @.str.1, i64 0, i64 0), i32 noundef 12, i8* noundef getelementptr inbounds ([21 x i8], [21 x i8]* @__PRETTY_FUNCTION__.worker, i64 0, i64 0))
  unreachable

29:                                               ; preds = %27
  store i32 1, i32* %7, align 4
  %30 = load i32, i32* %7, align 4
  store atomic i32 %30, i32* @inside monotonic, align 4
  store i32 0, i32* %8, align 4
  %31 = load i32, i32* %8, align 4
  store atomic i32 %31, i32* @inside monotonic, align 4
  br label %32

32:                                               ; preds = %29, %1
  ret i8* null
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

; Function Attrs: noreturn nounwind
declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef)



