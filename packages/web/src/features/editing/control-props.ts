import type { FieldShape } from '../../metadata/fields.ts'

export interface ControlProps<Shape extends FieldShape = FieldShape> {
  readonly id: string
  readonly shape: Shape
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly error: string | undefined
}
