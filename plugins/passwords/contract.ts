/** How passwords are kept: argon2id as a PHC string, unless another plugin fills the slot. */
export interface PasswordHasher {
  /** The text to store. @throws FW_PASSWORD_EMPTY; HttpError 503 with Retry-After when too many are waiting */
  hash(password: string): Promise<string>;
  /** Whether the password made the hash; false for an empty password and for a hash that can't be read. @throws HttpError 503 */
  verify(password: string, hash: string): Promise<boolean>;
  /** The hash was made otherwise than hashes are now: hash again at the next sign-in. */
  needsRehash(hash: string): boolean;
  /** Hashes of other systems that may be stored; where the hasher knows some. */
  foreign?: {
    accepts(hash: string): boolean;
    /** Does the work of one that nobody has where no hash is given. @throws HttpError 503 */
    verify(password: string, hash: string | undefined): Promise<boolean>;
  };
}
declare module "framewright/kernel" {
  interface Slots {
    passwordHasher: { service: PasswordHasher };
  }
}
