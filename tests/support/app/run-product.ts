/**
 * Serves the built product from a folder of state, in a process of its own that a test can kill. Arguments: the folder. Prints the
 * origin as its first line.
 */
import { startLocal } from "../../../scripts/lib/local-product";

const [state = ""] = process.argv.slice(2);
const { origin } = await startLocal({ port: 0, state });
console.log(origin);
