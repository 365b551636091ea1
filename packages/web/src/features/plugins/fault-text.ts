import { useTranslation } from 'react-i18next'

const codes = [
  'INIT_ERROR',
  'TIMEOUT',
  'PROCESS_CRASHED',
  'PROTOCOL_ERROR',
  'AUTH_FAILED',
  'API_ERROR',
  'CONFIG_ERROR',
  'RPC_ERROR',
  'RATE_LIMITED',
  'NOT_FOUND',
  'UNAVAILABLE',
  'CANCELLED',
  'NETWORK_REFUSED',
] as const

/** It names the kind of failure of a code; an unknown code stands for itself. */
export const useFaultText = (): ((code: string) => string) => {
  const { t } = useTranslation('plugins')
  return (code) => {
    const faultCode = codes.find((each) => each === code)
    return faultCode === undefined ? code : t(`fault.${faultCode}`)
  }
}
