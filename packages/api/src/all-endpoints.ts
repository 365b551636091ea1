import { doorEndpoints } from './doors/all-endpoints.ts'
import { type Endpoint, endpointsIn } from './endpoint.ts'
import * as contract from './index.ts'

/** These belong to our own API; its errors have one shape, and an unknown field is refused. */
export const mainEndpoints = endpointsIn(contract)
/** Every operation there is: what the OpenAPI document and the walks over the whole API are made from. */
export const allEndpoints: readonly Endpoint[] = [...mainEndpoints, ...doorEndpoints]
