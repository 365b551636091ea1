import { ApiProblem } from '../../../api/call.ts'
import { connectionLost } from '../../../api/connection.ts'

/** An `<img>` does not say why it has failed: the same address, requested again, does. */
export const askWhatIsWrong = async (address: string): Promise<unknown> => {
  try {
    const response = await fetch(address, { headers: { accept: 'image/*, application/json' } })
    if (response.ok) {
      await response.body?.cancel()
      return new ApiProblem('damaged_file', 'The picture cannot be shown.')
    }
    const reply = (await response.json()) as { error?: ApiProblem['code']; message?: string; requestId?: string }
    return new ApiProblem(reply.error ?? 'internal_error', reply.message ?? '', {
      status: response.status,
      requestId: reply.requestId,
    })
  } catch (cause) {
    connectionLost()
    return new ApiProblem('no_connection', 'The server does not answer.', { cause })
  }
}
