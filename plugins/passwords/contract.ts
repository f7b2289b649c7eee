/** The service of the slot `passwordHasher`: argon2id as PHC strings, unless another plugin fills the slot. */
export interface PasswordHasher {
  /** The text to store. @throws FW_PASSWORD_EMPTY; HttpError 503 with Retry-After when too many are waiting */
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash; false for an empty password and for a hash that can't be read. @throws HttpError 503 */
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether the hash has other parameters than new ones: hash again at the next sign-in. */
  needsRehash(hash: string): boolean;
  /** How many passwords are being hashed, and how many wait for a thread; where the hasher counts them. */
  load?(): { readonly running: number; readonly waiting: number };
  /** Reads hashes of other systems; where the hasher supports some. */
  foreign?: {
    accepts(hash: string): boolean;
    /** Does the same work without a hash, so that the time reveals nothing. @throws HttpError 503 */
    verify(password: string, hash: string | undefined): Promise<boolean>;
  };
}
declare module "framewright/kernel" {
  interface Slots {
    passwordHasher: { service: PasswordHasher };
  }
}
