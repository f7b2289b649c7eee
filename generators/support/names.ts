// The host's inflection. This entry loads no server.
export * from "framewright/host/inflection";
