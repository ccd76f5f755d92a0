//! Composite built-in functions as the scalar operations that `cresta_model`'s table of composites
//! lists.

use cresta_ir::{Operand, Operation, Scalar};
use naga::MathFunction;

use super::literal;
use super::state::Lowerer;
use super::types::Ty;
use super::value::{Leaves, Value};

impl Lowerer<'_> {
    /// A composite built-in function; `first` is the type of the first argument.
    pub(super) fn composite(
        &mut self,
        fun: MathFunction,
        first: Ty,
        arguments: &[Leaves],
    ) -> Value {
        let result = match (fun, arguments) {
            (MathFunction::Dot, &[a, b]) => vec![self.dot(a, b)],
            (MathFunction::Outer, &[a, b]) => self.outer(a, b),
            (MathFunction::Cross, &[a, b]) if a.len == 3 && b.len == 3 => self.cross(a, b),
            (MathFunction::Length, &[a]) => vec![self.length(a)],
            (MathFunction::Distance, &[a, b]) => vec![self.distance(a, b)],
            (MathFunction::Normalize, &[a]) => self.normalize(a),
            (MathFunction::FaceForward, &[a, b, c]) => self.face_forward(a, b, c),
            (MathFunction::Reflect, &[a, b]) => self.reflect(a, b),
            (MathFunction::Refract, &[a, b, eta]) => self.refract(a, b, eta),
            (MathFunction::SmoothStep, &[low, high, x]) => self.smooth_step(low, high, x),
            (MathFunction::Transpose, &[a]) => self.transpose(first, a),
            (MathFunction::Determinant, &[a]) => {
                let size = square_size(first);
                let matrix = self.slice(a).to_vec();
                vec![self.determinant(&matrix, size)]
            }
            (MathFunction::Inverse, &[a]) => self.inverse(first, a),
            _ => return Value::Opaque,
        };
        Value::Leaves(self.keep(&result))
    }

    /// Applies an operation to each component of two vectors.
    fn zip(&mut self, operation: Operation, a: Leaves, b: Leaves) -> Vec<Operand> {
        (0..a.len)
            .map(|index| {
                let arguments = self.components(&[a, b], index);
                let scalar = self.scalar_of(arguments[0]);
                self.arithmetic(operation, scalar, &arguments)
            })
            .collect()
    }

    /// Multiplies each component by a factor.
    fn scale(&mut self, vector: Leaves, factor: Operand) -> Vec<Operand> {
        (0..vector.len)
            .map(|index| {
                let operand = self.leaf(vector, index);
                let scalar = self.scalar_of(operand);
                self.arithmetic(Operation::Mul, scalar, &[operand, factor])
            })
            .collect()
    }

    pub(super) fn dot(&mut self, a: Leaves, b: Leaves) -> Operand {
        let pairs: Vec<_> = (0..a.len)
            .map(|index| (self.leaf(a, index), self.leaf(b, index)))
            .collect();
        self.sum_of_products(&pairs)
    }

    fn outer(&mut self, a: Leaves, b: Leaves) -> Vec<Operand> {
        let factors: Vec<_> = self.slice(b).to_vec();
        let columns = factors.into_iter().map(|factor| self.scale(a, factor));
        columns.collect::<Vec<_>>().concat()
    }

    fn cross(&mut self, a: Leaves, b: Leaves) -> Vec<Operand> {
        [(1, 2), (2, 0), (0, 1)]
            .map(|(i, j)| {
                let (a, b) = (
                    [self.leaf(a, i), self.leaf(a, j)],
                    [self.leaf(b, i), self.leaf(b, j)],
                );
                self.minor(a[0], b[1], a[1], b[0])
            })
            .to_vec()
    }

    /// `a * b - c * d`
    fn minor(&mut self, a: Operand, b: Operand, c: Operand, d: Operand) -> Operand {
        let scalar = self.scalar_of(a);
        let left = self.arithmetic(Operation::Mul, scalar, &[a, b]);
        let right = self.arithmetic(Operation::Mul, scalar, &[c, d]);
        self.arithmetic(Operation::Sub, scalar, &[left, right])
    }

    fn length(&mut self, vector: Leaves) -> Operand {
        let scalar = self.scalar_of(self.leaf(vector, 0));
        if vector.len == 1 {
            let operand = self.leaf(vector, 0);
            return self.arithmetic(Operation::Abs, scalar, &[operand]);
        }
        let square = self.dot(vector, vector);
        self.arithmetic(Operation::Sqrt, scalar, &[square])
    }

    fn distance(&mut self, a: Leaves, b: Leaves) -> Operand {
        let difference = self.zip(Operation::Sub, a, b);
        let difference = self.keep(&difference);
        self.length(difference)
    }

    fn normalize(&mut self, vector: Leaves) -> Vec<Operand> {
        let square = self.dot(vector, vector);
        let scalar = self.scalar_of(square);
        let factor = self.arithmetic(Operation::InverseSqrt, scalar, &[square]);
        self.scale(vector, factor)
    }

    fn face_forward(
        &mut self,
        normal: Leaves,
        incident: Leaves,
        reference: Leaves,
    ) -> Vec<Operand> {
        let dot = self.dot(reference, incident);
        let scalar = self.scalar_of(dot);
        let zero = literal::zero(scalar);
        let facing = self.compute(Operation::Less, scalar, &[dot, zero], Scalar::Bool);
        (0..normal.len)
            .map(|index| {
                let component = self.leaf(normal, index);
                let negated = self.arithmetic(Operation::Neg, scalar, &[component]);
                self.select_scalar(&[facing, component, negated])
            })
            .collect()
    }

    /// `incident - 2 * dot(normal, incident) * normal`
    fn reflect(&mut self, incident: Leaves, normal: Leaves) -> Vec<Operand> {
        let dot = self.dot(normal, incident);
        let scalar = self.scalar_of(dot);
        let two = literal::float(scalar, 2.0);
        let factor = self.arithmetic(Operation::Mul, scalar, &[two, dot]);
        let scaled = self.scale(normal, factor);
        let scaled = self.keep(&scaled);
        self.zip(Operation::Sub, incident, scaled)
    }

    /// With `k = 1 - eta² * (1 - dot²)`: zero when `k < 0`, else
    /// `eta * incident - (eta * dot + sqrt(k)) * normal`.
    fn refract(&mut self, incident: Leaves, normal: Leaves, eta: Leaves) -> Vec<Operand> {
        let eta = self.leaf(eta, 0);
        let dot = self.dot(normal, incident);
        let scalar = self.scalar_of(dot);
        let one = literal::one(scalar);
        let zero = literal::zero(scalar);
        let dot_square = self.arithmetic(Operation::Mul, scalar, &[dot, dot]);
        let rest = self.arithmetic(Operation::Sub, scalar, &[one, dot_square]);
        let eta_square = self.arithmetic(Operation::Mul, scalar, &[eta, eta]);
        let product = self.arithmetic(Operation::Mul, scalar, &[eta_square, rest]);
        let k = self.arithmetic(Operation::Sub, scalar, &[one, product]);
        let total = self.compute(Operation::Less, scalar, &[k, zero], Scalar::Bool);
        let along = self.arithmetic(Operation::Mul, scalar, &[eta, dot]);
        let root = self.arithmetic(Operation::Sqrt, scalar, &[k]);
        let factor = self.arithmetic(Operation::Add, scalar, &[along, root]);
        (0..incident.len)
            .map(|index| {
                let (i, n) = (self.leaf(incident, index), self.leaf(normal, index));
                let bent = self.minor(eta, i, factor, n);
                self.select_scalar(&[total, zero, bent])
            })
            .collect()
    }

    /// With `t = saturate((x - low) / (high - low))`: `t * t * (3 - 2 * t)`.
    fn smooth_step(&mut self, low: Leaves, high: Leaves, x: Leaves) -> Vec<Operand> {
        (0..x.len.max(low.len))
            .map(|index| {
                let arguments = self.components(&[low, high, x], index);
                let [low, high, x] = [arguments[0], arguments[1], arguments[2]];
                let scalar = self.scalar_of(x);
                let (two, three) = (literal::float(scalar, 2.0), literal::float(scalar, 3.0));
                let above = self.arithmetic(Operation::Sub, scalar, &[x, low]);
                let range = self.arithmetic(Operation::Sub, scalar, &[high, low]);
                let ratio = self.arithmetic(Operation::Div, scalar, &[above, range]);
                let t = self.arithmetic(Operation::Saturate, scalar, &[ratio]);
                let square = self.arithmetic(Operation::Mul, scalar, &[t, t]);
                let double = self.arithmetic(Operation::Mul, scalar, &[two, t]);
                let factor = self.arithmetic(Operation::Sub, scalar, &[three, double]);
                self.arithmetic(Operation::Mul, scalar, &[square, factor])
            })
            .collect()
    }

    fn transpose(&mut self, ty: Ty, matrix: Leaves) -> Vec<Operand> {
        let Ty::Matrix { columns, rows, .. } = ty else {
            return self.slice(matrix).to_vec();
        };
        let (columns, rows) = (u32::from(columns), u32::from(rows));
        (0..rows)
            .flat_map(|row| (0..columns).map(move |column| column * rows + row))
            .map(|index| self.leaf(matrix, index))
            .collect()
    }

    /// By cofactors of the first column; `matrix` holds its columns one after the other.
    fn determinant(&mut self, matrix: &[Operand], size: usize) -> Operand {
        if size < 2 || matrix.len() < size * size {
            return matrix[0];
        }
        if size == 2 {
            return self.minor(matrix[0], matrix[3], matrix[2], matrix[1]);
        }
        let scalar = self.scalar_of(matrix[0]);
        let mut sum = None;
        for row in 0..size {
            let minor = without(matrix, size, 0, row);
            let minor = self.determinant(&minor, size - 1);
            let term = self.arithmetic(Operation::Mul, scalar, &[matrix[row], minor]);
            let operation = if row % 2 == 0 {
                Operation::Add
            } else {
                Operation::Sub
            };
            sum = Some(match sum {
                Some(sum) => self.arithmetic(operation, scalar, &[sum, term]),
                None => term,
            });
        }
        sum.unwrap_or(matrix[0])
    }

    /// The adjugate times the reciprocal of the determinant.
    fn inverse(&mut self, ty: Ty, matrix: Leaves) -> Vec<Operand> {
        let size = square_size(ty);
        let matrix = self.slice(matrix).to_vec();
        let scalar = self.scalar_of(matrix[0]);
        let determinant = self.determinant(&matrix, size);
        let one = literal::one(scalar);
        let factor = self.arithmetic(Operation::Div, scalar, &[one, determinant]);
        let mut result = Vec::with_capacity(matrix.len());
        for column in 0..size {
            for row in 0..size {
                // The adjugate is the transpose of the cofactors.
                let minor = without(&matrix, size, row, column);
                let minor = self.determinant(&minor, size - 1);
                let cofactor = if (row + column) % 2 == 0 {
                    minor
                } else {
                    self.arithmetic(Operation::Neg, scalar, &[minor])
                };
                result.push(self.arithmetic(Operation::Mul, scalar, &[cofactor, factor]));
            }
        }
        result
    }
}

/// A square matrix without one column and one row.
fn without(matrix: &[Operand], size: usize, column: usize, row: usize) -> Vec<Operand> {
    let indices = (0..size * size).filter(|index| index / size != column && index % size != row);
    indices.map(|index| matrix[index]).collect()
}

fn square_size(ty: Ty) -> usize {
    match ty {
        Ty::Matrix { columns, .. } => columns.into(),
        _ => 1,
    }
}
