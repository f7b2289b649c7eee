export { default } from "framewright/plugins.config";
