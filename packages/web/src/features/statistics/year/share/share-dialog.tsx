import type { ReadingYear } from '@carrel/api'
import { Button, Switch } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toned } from '../../../../ui/cover/toned.ts'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Row, Stack, Text } from '../../../../ui/layout/layout.tsx'
import { Notice } from '../../../../ui/state/state.tsx'
import { seenSeries } from '../seen-series.ts'
import { paint } from './paint.ts'
import { type Picture, pictureOf } from './picture.ts'
import { mayShare, savePicture, sharePicture } from './send.ts'
import styles from './share-dialog.module.css'
import { usePictureWords } from './use-picture-words.ts'

interface ShareDialogProps {
  readonly year: ReadingYear
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The picture is drawn in the browser: it leaves the device when somebody saves or shares it, and not before. */
export const ShareDialog = ({ year, isOpen, onClose }: ShareDialogProps): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Dialog title={t('share.title', { year: String(year.year) })} isOpen={isOpen} onClose={onClose} size="lg">
      <PictureToShare year={year} />
    </Dialog>
  )
}

type State = 'coming' | 'here' | 'failed'

const PictureToShare = ({ year }: { readonly year: ReadingYear }): ReactNode => {
  const { t } = useTranslation('statistics')
  const wordsOf = usePictureWords()
  const [withNames, setWithNames] = useState(true)
  const words = wordsOf(year)
  // It is drawn anew when what it says is another: texts are made each time somebody asks for them.
  const pictureKey = JSON.stringify([year.year, words, withNames])
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const picture = useMemo(() => pictureOf(year, words, { withNames }), [pictureKey])
  const { canvas, draw, state } = usePainting(picture)
  const name = `carrel-${year.year}.png`
  const send = async (how: (canvas: HTMLCanvasElement, name: string) => Promise<void>): Promise<void> => {
    if (canvas.current) await how(canvas.current, name)
  }
  const tone = withNames ? seenSeries(year)[0]?.tone : null
  return (
    <Stack gap={3}>
      <Text quiet>{t('share.text')}</Text>
      <div {...toned(tone)} aria-busy={state === 'coming'}>
        <canvas
          ref={draw}
          className={styles.picture}
          width={picture.width}
          height={picture.height}
          role="img"
          aria-label={picture.lines.join('. ')}
        />
      </div>
      {state === 'failed' ? <Notice kind="warning">{t('share.failed')}</Notice> : null}
      <Switch
        label={t('share.withNames')}
        checked={withNames}
        onChange={({ currentTarget: { checked } }) => setWithNames(checked)}
      />
      <Buttons isReady={state === 'here'} name={name} send={send} />
    </Stack>
  )
}

/** It draws whenever there is another picture, or another canvas. */
const usePainting = (picture: Picture) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState<{ readonly picture: Picture; readonly isFailed: boolean }>()
  const draw = useCallback(
    (element: HTMLCanvasElement | null) => {
      canvas.current = element
      if (!element) return undefined
      let isWanted = true
      const note = (isFailed: boolean): void => {
        if (isWanted) setDrawn({ picture, isFailed })
      }
      paint(element, picture, () => isWanted).then(
        () => note(false),
        () => note(true),
      )
      return () => {
        isWanted = false
      }
    },
    [picture],
  )
  const state: State = drawn?.picture !== picture ? 'coming' : drawn.isFailed ? 'failed' : 'here'
  return { canvas, draw, state }
}

interface ButtonsProps {
  readonly isReady: boolean
  readonly name: string
  readonly send: (how: (canvas: HTMLCanvasElement, name: string) => Promise<void>) => Promise<void>
}

const Buttons = ({ isReady, name, send }: ButtonsProps): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Row gap={2} justify="end" wrap touch="wide">
      {mayShare(name) ? (
        <Button
          radius="xl"
          disabled={!isReady}
          leftSection={<Icon name="upload" size="small" />}
          onClick={() => void send(sharePicture)}
        >
          {t('share.share')}
        </Button>
      ) : null}
      <Button
        radius="xl"
        variant={mayShare(name) ? 'default' : 'filled'}
        disabled={!isReady}
        leftSection={<Icon name="download" size="small" />}
        onClick={() => void send(savePicture)}
      >
        {t('share.save')}
      </Button>
    </Row>
  )
}
