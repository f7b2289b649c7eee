/** How long a process waits for another one that migrates the same database. */
export const MAX_WAIT_SECONDS = 300;
