import { listProgressHistory, type ReadProgress } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { deviceId } from '../../../api/device.ts'
import { onHappening } from '../../../api/happenings.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'

/** Another device has read on in this book. */
interface OtherDevicePage {
  readonly page: number
  readonly device: string | null
}

/**
 * It checks for positions of other devices: when the server tells of a new position, and when this window comes back into view.
 */
export const useElsewhere = (bookId: string, page: number, isByAddress: boolean) => {
  const [otherPage, setOtherPage] = useState<OtherDevicePage>()
  const here = useRef(page)
  const checkedId = useRef('')
  useEffect(() => {
    here.current = page
  }, [page])
  const check = useCallback(
    async (isKnown = false): Promise<void> => {
      const { body } = await call(listProgressHistory, { params: { id: bookId }, query: { pageSize: 20 } })
      const standing = body.data.find(({ current }) => current)
      if (!standing || standing.device.id === deviceId() || standing.id === checkedId.current) return
      checkedId.current = standing.id
      const { currentPage, device } = standing
      if (!isKnown && currentPage !== null && currentPage !== here.current)
        setOtherPage({ page: currentPage, device: device.name })
    },
    [bookId],
  )
  useEffect(() => {
    const checkAgain = (isKnown = false): void => void check(isKnown).catch(() => undefined)
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') checkAgain()
    }
    const stop = onHappening(({ type, bookId: about }) => {
      if (type === 'progress_updated' && about === bookId && document.visibilityState === 'visible') checkAgain()
    })
    // A user who opens a book begins where they were. Only an address may say otherwise.
    checkAgain(!isByAddress)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [bookId, check, isByAddress])
  return {
    otherPage,
    stay: () => setOtherPage(undefined),
    /** It takes the server's answer to a position we sent. Where that was late, another device may have been further. */
    answered: (progress: ReadProgress | undefined, isLate: boolean): void => {
      if (progress?.heldBack || isLate) void check().catch(() => undefined)
    },
  }
}

interface ElsewhereProps {
  readonly otherPage: OtherDevicePage | undefined
  readonly page: number
  readonly onGo: (page: number) => void
  readonly onStay: () => void
}

/** Two positions to go on from: nobody but the reader knows which. */
export const Elsewhere = ({ otherPage, page, onGo, onStay }: ElsewhereProps): ReactNode => {
  const { t } = useTranslation('reader')
  const go = (): void => {
    if (otherPage) onGo(otherPage.page)
    onStay()
  }
  const device = otherPage?.device ?? t('elsewhere.someDevice')
  return (
    <Dialog
      title={t('elsewhere.title')}
      isOpen={otherPage !== undefined}
      onClose={onStay}
      actions={
        <>
          <Button variant="default" onClick={onStay}>
            {t('elsewhere.stay', { page })}
          </Button>
          <Button onClick={go} data-autofocus>
            {t('elsewhere.go', { page: otherPage?.page ?? page })}
          </Button>
        </>
      }
    >
      <p dir="auto">{t('elsewhere.text', { device, page: otherPage?.page ?? page })}</p>
    </Dialog>
  )
}
