; ModuleID = 'mp.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.message = type { i64, i32 }
%union.pthread_attr_t = type { i64, [48 x i8] }

@box = internal global %struct.message zeroinitializer, align 8
@.str = private unnamed_addr constant [6 x i8] c"ready\00", align 1
@.str.1 = private unnamed_addr constant [5 x i8] c"text\00", align 1

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  store i32 0, i32* %1, align 4
  %4 = call i32 @pthread_create(i64* noundef %2, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @send, i8* noundef bitcast (%struct.message* @box to i8*))
  %5 = call i32 @pthread_create(i64* noundef %3, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @receive, i8* noundef bitcast (%struct.message* @box to i8*))
  %6 = load i64, i64* %2, align 8
  %7 = call i32 @pthread_join(i64 noundef %6, i8** noundef null)
  %8 = load i64, i64* %3, align 8
  %9 = call i32 @pthread_join(i64 noundef %8, i8** noundef null)
  ret i32 0
}

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef)

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @send(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca %struct.message*, align 8
  %4 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  %5 = load i8*, i8** %2, align 8
  %6 = bitcast i8* %5 to %struct.message*
  store %struct.message* %6, %struct.message** %3, align 8
  %7 = load %struct.message*, %struct.message** %3, align 8
  %8 = getelementptr inbounds %struct.message, %struct.message* %7, i32 0, i32 0
  store i64 7, i64* %8, align 8
  %9 = load %struct.message*, %struct.message** %3, align 8
  %10 = getelementptr inbounds %struct.message, %struct.message* %9, i32 0, i32 1
  store i32 1, i32* %4, align 4
  %11 = load i32, i32* %4, align 4
  store atomic i32 %11, i32* %10 monotonic, align 8
  ret i8* null
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @receive(i8* noundef %0) {
  %2 = alloca i8*, align 8
  %3 = alloca %struct.message*, align 8
  %4 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  %5 = load i8*, i8** %2, align 8
  %6 = bitcast i8* %5 to %struct.message*
  store %struct.message* %6, %struct.message** %3, align 8
  %7 = load %struct.message*, %struct.message** %3, align 8
  %8 = getelementptr inbounds %struct.message, %struct.message* %7, i32 0, i32 1
  %9 = load atomic i32, i32* %8 monotonic, align 8
  store i32 %9, i32* %4, align 4
  %10 = load i32, i32* %4, align 4
  %11 = sext i32 %10 to i64
  call void @fp_observe(i8* noundef getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i64 0, i64 0), i64 noundef %11)
  %12 = load %struct.message*, %struct.message** %3, align 8
  %13 = getelementptr inbounds %struct.message, %struct.message* %12, i32 0, i32 0
  %14 = load i64, i64* %13, align 8
  call void @fp_observe(i8* noundef getelementptr inbounds ([5 x i8], [5 x i8]* @.str.1, i64 0, i64 0), i64 noundef %14)
  ret i8* null
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

declare void @fp_observe(i8* noundef, i64 noundef)



