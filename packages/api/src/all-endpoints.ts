import * as doors from './doors/index.ts'
import { type Endpoint, isEndpoint } from './endpoint.ts'
import * as contract from './index.ts'

const endpointsIn = (values: object): readonly Endpoint[] => (Object.values(values) as unknown[]).filter(isEndpoint)

/** What the API of our own has; its errors have one shape, and an unknown field is refused. */
export const mainEndpoints = endpointsIn(contract)
/** What other applications' protocols have. */
export const doorEndpoints = endpointsIn(doors)
/** Every operation there is: what the OpenAPI document and the walks over the whole API are made from. */
export const allEndpoints: readonly Endpoint[] = [...mainEndpoints, ...doorEndpoints]
