import type { Context } from '../../context.ts'
import type { DoorFrame } from '../../http/doors.ts'
import { basicChallenge, errorBody } from '../../http/error-reply.ts'

export const opdsFrame = ({ settings }: Pick<Context, 'settings'>): DoorFrame => ({
  name: 'opds',
  mount: '/opds/',
  address: () => '/opds/',
  isOpen: () => settings.get('opds.enabled'),
  takesBasic: () => settings.get('opds.basic'),
  challenge: () => (settings.get('opds.basic') ? basicChallenge : 'Bearer realm="Carrel"'),
  refusal: (error, request, reply) => {
    reply.type('application/problem+json; charset=utf-8')
    const { status, message } = error
    return JSON.stringify({ title: error.code, status, detail: message, ...errorBody(error, request.id) })
  },
})
