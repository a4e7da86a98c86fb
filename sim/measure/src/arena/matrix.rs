//! Symmetric matrices of a few dozen rows.

use std::ops::{Index, IndexMut};

/// A square matrix.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }
}

impl Matrix {
    pub fn zero(size: usize) -> Matrix {
        Matrix { size, entries: vec![0.0; size * size] }
    }

    /// Adds the product of a vector with itself, times a factor.
    pub fn add_square(&mut self, vector: &[f64], factor: f64) {
        for (row, x) in self.entries.chunks_exact_mut(self.size).zip(vector) {
            for (entry, y) in row.iter_mut().zip(vector) {
                *entry += factor * x * y;
            }
        }
    }

    /// The sum of the diagonal.
    pub fn trace(&self) -> f64 {
        (0..self.size).map(|row| self[(row, row)]).sum()
    }

    /// The sum of the squares of all entries: the trace of the square of a symmetric matrix.
    pub fn sum_of_squares(&self) -> f64 {
        self.entries.iter().map(|entry| entry * entry).sum()
    }

    /// The product with a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.entries.chunks_exact(self.size.max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// The inverse of a symmetric positive definite matrix without its first row and column, as a
    /// matrix of the same size whose first row and column are 0. None if there is no such inverse.
    ///
    /// It solves equations in which the first unknown is 0.
    pub fn inverse_after_first(&self) -> Option<Matrix> {
        let root = self.root_after_first()?;
        let mut inverse = Matrix::zero(self.size);
        for column in 1..self.size {
            // Forward, then back substitution of a unit vector.
            let mut unknowns = vec![0.0; self.size];
            for row in 1..self.size {
                let known: f64 = (1..row).map(|k| root[(row, k)] * unknowns[k]).sum();
                unknowns[row] = (f64::from(u8::from(row == column)) - known) / root[(row, row)];
            }
            for row in (1..self.size).rev() {
                let known: f64 = (row + 1..self.size).map(|k| root[(k, row)] * unknowns[k]).sum();
                unknowns[row] = (unknowns[row] - known) / root[(row, row)];
            }
            for row in 1..self.size {
                inverse[(row, column)] = unknowns[row];
            }
        }
        Some(inverse)
    }

    /// The Cholesky factor of the matrix without its first row and column. None if that is not positive
    /// definite.
    fn root_after_first(&self) -> Option<Matrix> {
        let mut root = Matrix::zero(self.size);
        for row in 1..self.size {
            for column in 1..=row {
                let known: f64 = (1..column).map(|k| root[(row, k)] * root[(column, k)]).sum();
                let rest = self[(row, column)] - known;
                if row > column {
                    root[(row, column)] = rest / root[(column, column)];
                } else if rest > 0.0 {
                    root[(row, row)] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_solve_equations_after_the_first() {
        let mut matrix = Matrix::zero(4);
        for vector in [[1.0, 2.0, 0.0, 1.0], [0.0, 1.0, 3.0, 1.0], [2.0, 0.0, 1.0, 5.0], [1.0, 1.0, 1.0, 0.0]]
        {
            matrix.add_square(&vector, 0.5);
        }
        let inverse = matrix.inverse_after_first().expect("four independent vectors");
        let wanted = [0.0, 3.0, -1.0, 2.0];
        let found = inverse.times(&matrix.times(&wanted));
        // The first equation does not count, and the first unknown is 0.
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        let mut singular = Matrix::zero(3);
        singular.add_square(&[1.0, 1.0, 1.0], 1.0);
        assert_eq!(singular.inverse_after_first(), None);
        assert_eq!((singular.trace(), singular.sum_of_squares()), (3.0, 9.0));
    }
}
