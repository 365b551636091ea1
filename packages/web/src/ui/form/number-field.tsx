import { NumberInput, type NumberInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | undefined
  /** An empty field, and what is no number yet, is none. */
  readonly onChange: (value: number | undefined) => void
}

/** A number as it is being typed: `10.` stays until the digits after it have come. */
export const NumberField = ({ value, onChange, ...props }: NumberFieldProps): ReactNode => {
  const [typed, setTyped] = useState<number | string>('')
  return (
    <NumberInput
      {...props}
      value={numberIn(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(numberIn(next))
      }}
    />
  )
}

const numberIn = (typed: number | string): number | undefined => {
  const number = typed === '' ? Number.NaN : Number(typed)
  return Number.isNaN(number) ? undefined : number
}
