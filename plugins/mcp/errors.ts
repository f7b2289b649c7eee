import { HttpError } from "framewright/host";
import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_MCP_SDK: () =>
    "mcp() requires the official SDK, which is not installed. Run: npm install @modelcontextprotocol/server",
  FW_MCP_PORTAL: (name: string, known: readonly string[], meant: string | undefined) =>
    `mcp({ portals: ["${name}"] }): there is no portal of that name with resources${didYouMean(meant)}. There are: ${known.join(", ") || "none"}.`,
});

/** 401: keys and tokens alone sign in here. */
export const cookiesRefused = (): HttpError =>
  new HttpError(
    401,
    "FW_MCP_COOKIES",
    "cookies do not sign in here. Send a key or a token in the header Authorization.",
    {
      headers: { "www-authenticate": "Bearer" },
    },
  );
