import * as doors from './doors/index.ts'
import { type Endpoint, isEndpoint } from './endpoint.ts'
import * as contract from './index.ts'

const endpointsIn = (values: object): readonly Endpoint[] => (Object.values(values) as unknown[]).filter(isEndpoint)

/** These belong to our own API; its errors have one shape, and an unknown field is refused. */
export const mainEndpoints = endpointsIn(contract)
/** These belong to other applications' protocols. */
export const doorEndpoints = [
  ...endpointsIn(doors),
  ...Object.values(doors.opdsShelves).flatMap((shelf): readonly Endpoint[] => [shelf.one, shelf.two]),
]
/** Every operation there is: what the OpenAPI document and the walks over the whole API are made from. */
export const allEndpoints: readonly Endpoint[] = [...mainEndpoints, ...doorEndpoints]
