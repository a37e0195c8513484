/* A baton that goes from runner to runner. */
void carry_baton(int runners);
int laps(void);
