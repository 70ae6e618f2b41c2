// check: read-only
int main(void) {
  char *text = (char *)"text";
  text[0] = 'T';
  return 0;
}
