import { createContext } from "react";
import type { Uuid } from "~/domain/shared/model";

/** Who is logged in, and so whose queue takes files; the shell says it. */
export const UploadPerson = createContext<Uuid | null>(null);
