import { type Endpoint, isEndpoint } from './endpoint.ts'
import * as contract from './index.ts'

/** Every operation there is: what the OpenAPI document and the walks over the whole API are made from. */
export const allEndpoints: readonly Endpoint[] = (Object.values(contract) as unknown[]).filter(isEndpoint)
