import { describeInstalled } from "../generators/installed.ts";

describeInstalled("pnpm");
describeInstalled("yarn");
