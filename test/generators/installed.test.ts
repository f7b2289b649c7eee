import { describeInstalled } from "./installed.ts";

// pnpm and yarn are tried by the soak: their downloads take minutes.
describeInstalled("npm");
