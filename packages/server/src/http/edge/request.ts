import type { Scheme } from '@carrel/api'
import type { AppError } from '../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import type { BucketState } from '../rate-limit/rate-limit.ts'
import type { Address, Route } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it leads, whether or not its method is one of that address; undefined where there is nothing. */
    address: Address | undefined
    /** What answers it; undefined where its method is none of that address. */
    route: Route | undefined
    /** Who asks, once their credentials have been verified. */
    caller: Caller | undefined
    /** By what they said who they are, right or wrong. */
    scheme: Scheme | undefined
    /** The address the request comes from, as far as it can be trusted. */
    clientAddress: string
    /** What counts as one place on the network: an IPv4 address or an IPv6 /64. */
    network: string
    /** The bucket this request drew on or looked at. */
    bucket: BucketState | undefined
    /** It took a token from the bucket of its network. */
    drewAnonymously: boolean
    /** What it was refused for. */
    refused: AppError | undefined
  }
}
