import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config.ts'
import { forwardingHeaders } from './client-address.ts'

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Whether a request surely comes from somebody at this machine (pins W7): both ends of the connection are loopback, it
 * was addressed to this machine by name, and nothing says that a proxy passed it on or a foreign page sent it.
 */
export const isLocalRequest = (
  { socket, headers }: IncomingMessage,
  { publicUrl, trustedProxies }: Config,
): boolean => {
  const { host = '', origin } = headers
  const passedOn =
    forwardingHeaders.some((name) => name in headers) ||
    Object.keys(headers).some((name) => name.startsWith('x-forwarded-'))
  return (
    loopback.test(socket.remoteAddress ?? '') &&
    loopback.test(socket.localAddress ?? '') &&
    localHost.test(host) &&
    !passedOn &&
    (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
    publicUrl === undefined &&
    trustedProxies.length === 0
  )
}
