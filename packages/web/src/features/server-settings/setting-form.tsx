import type { SettingDto, SettingValue } from '@carrel/api'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../ui/form/form.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { SettingControl } from './setting-control.tsx'
import { isBytes, useSettingText } from './setting-text.ts'
import type { useSetting } from './use-setting.ts'

interface SettingFormProps {
  readonly setting: SettingDto
  readonly change: ReturnType<typeof useSetting>
}

/** A change is saved on demand, with an optional reason; the button appears only when the value differs. */
export const SettingForm = ({ setting, change }: SettingFormProps): ReactNode => {
  const { t } = useTranslation('server-settings')
  const text = useSettingText()
  const [typed, setTyped] = useState<SettingValue>()
  const [reason, setReason] = useState('')
  const { key, value } = setting
  const draft = typed ?? value
  const isSame = JSON.stringify(draft) === JSON.stringify(value)
  const discard = (): void => {
    setTyped(undefined)
    setReason('')
    change.forget()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isSame) change.save(draft, reason.trim(), discard)
  }
  return (
    <Form onSubmit={submit} problem={change.problem} gap={2}>
      <SettingControl setting={setting} name={text.name(setting)} value={draft} onChange={setTyped} />
      {typeof draft === 'number' && isBytes(key) ? (
        <Text as="span" quiet size={13}>
          {text.value(key, draft)}
        </Text>
      ) : null}
      {isSame ? null : (
        <>
          <TextInput
            aria-label={t('why')}
            placeholder={t('why')}
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Row gap={2} align="stretch" wrap touch>
            <Button type="submit" loading={change.isPending}>
              {t('save')}
            </Button>
            <Button variant="default" onClick={discard}>
              {t('discard')}
            </Button>
          </Row>
        </>
      )}
    </Form>
  )
}
