/**
 * What an account that has no password keeps in its place: no password matches it, and verifying against it costs what a real
 * hash costs (functions/security/password.ts). It never changes: the tables tell by it who has set a password.
 */
export const NO_PASSWORD =
  "scrypt$16384$8$5$AAAAAAAAAAAAAAAAAAAAAA$q2RZ6iB0y1l1jF1n3c0mQx7h0k7hJt7gWcZ8y2q1m0E";
