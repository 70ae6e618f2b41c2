int main(void) {
  int *device = (int *)0x4000;
  return *device;
}
