; ModuleID = 'sb.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_attr_t = type { i64, [48 x i8] }

@x = internal global i32 0, align 4
@.str = private unnamed_addr constant [3 x i8] c"r0\00", align 1
@y = internal global i32 0, align 4
@.str.1 = private unnamed_addr constant [3 x i8] c"r1\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  store i32 0, i32* %1, align 4
  %4 = call i32 @pthread_create(i64* noundef %2, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @left, i8* noundef null)
  %5 = call i32 @pthread_create(i64* noundef %3, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @right, i8* noundef null)
  %6 = load i64, i64* %2, align 8
  %7 = call i32 @pthread_join(i64 noundef %6, i8** noundef null)
  %8 = load i64, i64* %3, align 8
  %9 = call i32 @pthread_join(i64 noundef %8, i8** noundef null)
  ret i32 0
}

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef)

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @left(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  store i32 1, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  store atomic i32 %5, i32* @x monotonic, align 4
  %6 = load atomic i32, i32* @y monotonic, align 4
  store i32 %6, i32* %4, align 4
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([3 x i8], [3 x i8]* @.str, i64 0, i64 0), i64 noundef %8)
  %9 = load i8*, i8** %2, align 8
  ret i8* %9
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @right(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  store i32 1, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  store atomic i32 %5, i32* @y monotonic, align 4
  %6 = load atomic i32, i32* @x monotonic, align 4
  store i32 %6, i32* %4, align 4
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([3 x i8], [3 x i8]* @.str.1, i64 0, i64 0), i64 noundef %8)
  %9 = load i8*, i8** %2, align 8
  ret i8* %9
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

declare void @fp_observe(i8* noundef, i64 noundef)



