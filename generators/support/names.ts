// The host's inflection, without the host: naming things must not load a server.
export * from "../../host/support/inflection.ts";
