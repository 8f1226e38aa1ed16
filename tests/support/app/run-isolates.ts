/** Serves several isolates of the built product in a separate process that a test can kill. Arguments: the data's folder, and the options as JSON. */
import { startIsolates } from "./isolates";

const [state = "", options = ""] = process.argv.slice(2);
const { origins } = await startIsolates(state, JSON.parse(options));
console.log(origins.join(" "));
