import { createContext } from "react";
import type { Uuid } from "~/domain/shared/model";

/** Id of the logged-in user, to whose queue files are added. The page shell provides it. */
export const UploadUserContext = createContext<Uuid | null>(null);
