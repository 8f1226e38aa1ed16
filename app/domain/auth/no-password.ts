/**
 * The stored hash of an account without a password. No password matches it, and verifying against it costs as much as a real hash
 * (functions/security/password.ts). It never changes: queries compare with it to find accounts that have a password.
 */
export const NO_PASSWORD =
  "scrypt$16384$8$5$AAAAAAAAAAAAAAAAAAAAAA$q2RZ6iB0y1l1jF1n3c0mQx7h0k7hJt7gWcZ8y2q1m0E";
