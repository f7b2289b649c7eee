import type { S3Client } from "@aws-sdk/client-s3";
import type { UploadForm } from "./contract.ts";

/** The bucket that a form is signed for. */
export interface UploadPlace {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
}
/** What a form is signed for. */
export interface SignedUpload {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly seconds: number;
}

/** The address of a bucket, to which browsers send forms: dots of its name would not fit the certificate of its own host. */
export function bucketUrl({ bucket, region, endpoint }: UploadPlace): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** What the signer of the client takes besides requests: a text, of which it returns the signature. */
interface TextSigner {
  sign(text: string, options: { signingDate: Date; signingRegion: string; signingService: string }): Promise<string>;
}

/**
 * Signs a form of S3 ("POST policy") for one file: the key, the number of its bytes and its type are in the policy, so that the
 * server takes nothing else. A signed PUT has a limit of its size only where the browser may not leave out what was signed.
 */
export async function signUploadForm(
  client: S3Client,
  place: UploadPlace,
  { key, size, seconds }: SignedUpload,
): Promise<UploadForm> {
  const { bucket, region } = place;
  const signingDate = new Date();
  const { accessKeyId, sessionToken } = await client.config.credentials();
  const stamp = signingDate.toISOString().replace(/[:-]|\.\d+/g, "");
  const signed = {
    key,
    "Content-Type": "application/octet-stream", // nothing of it is served by the bucket
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${accessKeyId}/${stamp.slice(0, 8)}/${region}/s3/aws4_request`,
    "X-Amz-Date": stamp,
    ...(sessionToken === undefined ? {} : { "X-Amz-Security-Token": sessionToken }),
  };
  const conditions = [
    { bucket },
    ["content-length-range", size, size],
    ...Object.entries(signed).map(([name, value]) => ({ [name]: value })),
  ];
  const expiration = new Date(signingDate.getTime() + seconds * 1000).toISOString();
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString("base64");
  const signer = (await client.config.signer()) as unknown as TextSigner;
  const signature = await signer.sign(policy, { signingDate, signingRegion: region, signingService: "s3" });
  return { key, url: bucketUrl(place), fields: { ...signed, Policy: policy, "X-Amz-Signature": signature } };
}
